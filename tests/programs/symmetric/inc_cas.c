// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, a counter of 32 bits
// A counter that only grows, with compare-and-swap.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint value;

void *worker(void *arg)
{
    unsigned old;
    do {
        old = value;
        if (old == UINT_MAX)
            return 0;
    } while (!__sync_bool_compare_and_swap(&value, old, old + 1));
    assert(value > old);
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
