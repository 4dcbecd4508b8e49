// selvedge: assertion=safe? race=safe deadlock=safe? memory=safe?
// flags: --timeout 2
// INFINITE: the counter takes every value before the states repeat.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint ticks, tocks;

static void *ticker(void *unused)
{
    for (;;)
        atomic_fetch_add(&ticks, 1);
    return unused;
}

static void *tocker(void *unused)
{
    for (;;)
        atomic_fetch_add(&tocks, 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, ticker, NULL);
    pthread_create(&t2, NULL, tocker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(0);
    return 0;
}
