// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_rwlock_t lock;

static void *worker(void *unused)
{
    assert(pthread_rwlock_tryrdlock(&lock) == 0);
    assert(pthread_rwlock_trywrlock(&lock) == EBUSY);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_rwlock_init(&lock, NULL);
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_rwlock_unlock(&lock);
    assert(pthread_rwlock_trywrlock(&lock) == 0);
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_destroy(&lock);
    return 0;
}
