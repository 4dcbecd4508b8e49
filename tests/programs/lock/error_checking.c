// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *worker(void *unused)
{
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    assert(pthread_mutex_unlock(&lock) == 0);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &kind);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
