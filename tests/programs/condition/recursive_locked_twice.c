// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// Waiting gives up one level of a recursive mutex only (glibc; POSIX leaves it open), so the signal never comes.
#define _GNU_SOURCE
#include <pthread.h>

pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;

void *run(void *arg)
{
    pthread_mutex_lock(&m); // DEADLOCK!
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    pthread_create(&t, 0, run, 0);
    while (!ready)
        pthread_cond_wait(&c, &m); // DEADLOCK!
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
