// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A path on which an assumption does not hold is none; it is no deadlock either.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);
static atomic_int x;

static void *setter(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void *reader(void *unused)
{
    int seen = atomic_load(&x);
    __VERIFIER_assume(seen == 1);
    assert(atomic_load(&x) == 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, setter, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
