// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int clock_value;

static void *ticker(void *unused)
{
    atomic_store(&clock_value, 1);
    atomic_store(&clock_value, 2);
    return unused;
}

static void *observer(void *unused)
{
    int earlier = atomic_load(&clock_value);
    int later = atomic_load(&clock_value);
    assert(earlier <= later);
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
