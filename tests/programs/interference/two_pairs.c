// Two lock/unlock pairs. That each acquire sees the other's release, or both the lock as it was, fits no order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static atomic_int inside;

static void *worker(void *unused)
{
    pthread_mutex_lock(&l);
    assert(atomic_fetch_add(&inside, 1) == 0);
    atomic_fetch_sub(&inside, 1);
    pthread_mutex_unlock(&l);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
