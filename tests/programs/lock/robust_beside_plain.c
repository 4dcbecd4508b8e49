// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// A mutex that is not robust stays locked when its owner ends.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex, robust;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    return unused;
}

static void set_up(pthread_mutex_t *robust)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(robust, &attr);
}

int main(void)
{
    pthread_t thread;
    set_up(&robust);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    assert(pthread_mutex_lock(&robust) == 0);
    pthread_mutex_lock(&mutex); // DEADLOCK!
    return 0;
}
