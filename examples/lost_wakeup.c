/* Waiting for an event with a condition variable, as it should be: the flag is changed and tested under the lock, and tested
   again after every wake-up, for a thread may wake up for no reason.
   Selvedge proves that the waiter neither sleeps for ever nor goes on too early. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int ready, result;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    result = 42;
    ready = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    while (!ready)
        pthread_cond_wait(&changed, &lock);
    assert(result == 42);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
