// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
// Destroying a lock is a write of it, which races with its use; so is setting it up.
#include <pthread.h>

pthread_mutex_t m;
int x;

void *run(void *arg)
{
    pthread_mutex_lock(&m); // RACE! m MEMORY! destroyed
    x++;
    pthread_mutex_unlock(&m); // RACE! m
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_mutex_init(&m, 0);
    pthread_create(&t, 0, run, 0);
    pthread_mutex_destroy(&m); // RACE! m MEMORY! in use
    pthread_join(t, 0);
    return 0;
}
