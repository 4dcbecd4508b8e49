// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Two readers can be inside together.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static atomic_int inside;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0); // FAIL!
    atomic_fetch_sub(&inside, 1);
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
