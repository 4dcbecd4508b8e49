// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Two pairs on two locks: both can be inside.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t l1 = PTHREAD_MUTEX_INITIALIZER, l2 = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;

static void *worker(void *lock)
{
    pthread_mutex_lock(lock);
    assert(atomic_fetch_add(&inside, 1) == 0); // FAIL!
    atomic_fetch_sub(&inside, 1);
    pthread_mutex_unlock(lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, &l1);
    pthread_create(&t2, NULL, worker, &l2);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
