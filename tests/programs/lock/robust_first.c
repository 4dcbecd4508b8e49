// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// The thread may not have had the mutex yet.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

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
    set_up(&mutex);
    pthread_create(&thread, NULL, worker, NULL);
    int status = pthread_mutex_lock(&mutex);
    assert(status == EOWNERDEAD); // FAIL!
    pthread_mutex_consistent(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
