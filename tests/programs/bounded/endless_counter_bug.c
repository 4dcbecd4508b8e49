// selvedge: assertion=unsafe
// flags: --timeout 10
// INFINITE: the counter takes every value, but the failure is near.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint ticks;

static void *ticker(void *unused)
{
    for (;;)
        atomic_fetch_add(&ticks, 1);
    return unused;
}

static void *observer(void *unused)
{
    assert(atomic_load(&ticks) != 5); // FAIL!
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, ticker, NULL);
    pthread_create(&t2, NULL, observer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
