// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Under sequential consistency at least one thread sees the other's store.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void *first(void *unused)
{
    atomic_store(&x, 1);
    a = atomic_load(&y);
    return unused;
}

static void *second(void *unused)
{
    atomic_store(&y, 1);
    b = atomic_load(&x);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(a == 1 || b == 1);
    assert(a + b >= 1);
    return 0;
}
