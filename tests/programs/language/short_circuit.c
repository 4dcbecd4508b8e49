// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;
static int calls;

static int count(void)
{
    return ++calls; // NORACE
}

static void *setter(void *unused)
{
    atomic_store(&b, 1);
    atomic_store(&a, 1);
    return unused;
}

static void *tester(void *unused)
{
    if (atomic_load(&a) && atomic_load(&b) == 0)
        count();
    if (atomic_load(&b) == 0 && atomic_load(&a))
        count();
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, setter, NULL);
    pthread_create(&t2, NULL, tester, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(calls <= 1);
    return 0;
}
