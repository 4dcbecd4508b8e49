// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// main is gone and the last thread waits for ever.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock); // DEADLOCK!
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_exit(NULL);
}
