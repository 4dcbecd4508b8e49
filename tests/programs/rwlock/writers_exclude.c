// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int inside;

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0);
    atomic_fetch_sub(&inside, 1);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
