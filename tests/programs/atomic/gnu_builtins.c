// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int x;

static void *adder(void *unused)
{
    __atomic_add_fetch(&x, 1, __ATOMIC_SEQ_CST);
    return unused;
}

static void *exchanger(void *unused)
{
    int expected = __atomic_load_n(&x, __ATOMIC_SEQ_CST);
    while (!__atomic_compare_exchange_n(&x, &expected, expected + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, adder, NULL);
    pthread_create(&t2, NULL, exchanger, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2);
    return 0;
}
