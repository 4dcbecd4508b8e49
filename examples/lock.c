/* A lock made of an integer: 0 is free, i is held by thread i. Acquiring is one atomic step, releasing another.
   Example 1 of paper 000. Both threads write `x` for ever, always under the lock. Selvedge proves that they never race,
   although the lock is no pthread mutex: what a lock is follows from what the program does. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int m;
static int x;

static void acquire(int self)
{
    int nobody = 0;
    while (!atomic_compare_exchange_strong(&m, &nobody, self))
        nobody = 0;
}

static void release(void)
{
    atomic_store(&m, 0);
}

static void *first(void *unused)
{
    for (;;) {
        acquire(1);
        x = 1;
        assert(x == 1);
        release();
    }
    return unused;
}

static void *second(void *unused)
{
    for (;;) {
        acquire(2);
        x = 2;
        assert(x == 2);
        release();
    }
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
