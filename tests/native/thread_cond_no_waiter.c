// Condition variable signalled with no waiter: the signal is lost, the predicate is not.
// The waiter's loop never has to wait.
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;
static void *producer(void *arg) {
    pthread_mutex_lock(&m);
    ready = 42;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_cond_broadcast(&c);
    return NULL;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, producer, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&m);
    int waits = 0;
    while (!ready) { waits++; pthread_cond_wait(&c, &m); }
    pthread_mutex_unlock(&m);
    printf("%d %d\n", ready, waits);
    pthread_cond_t d;
    printf("%d ", pthread_cond_init(&d, NULL));
    printf("%d ", pthread_cond_signal(&d));
    printf("%d\n", pthread_cond_destroy(&d));
    return 0;
}
