// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The assertion is never reached: nobody opens the gate before the process ends.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&gate);
    assert(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_mutex_lock(&gate);
    pthread_create(&thread, NULL, worker, NULL);
    return 0;
}
