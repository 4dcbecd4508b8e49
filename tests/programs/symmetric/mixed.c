// selvedge: assertion=safe
// flags: --property assertion
// INFINITE: any number of threads, counters of 32 bits
// Only the first thread gets in, and what it counts is what all count: no proof without a predicate that mixes the two.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint came, counted;

void *worker(void *arg)
{
    unsigned own = 0, before = came;
    if (before == UINT_MAX || !__sync_bool_compare_and_swap(&came, before, before + 1))
        return 0;
    if (came == 1) {
        for (;;) {
            counted++;
            own++;
            assert(counted == own);
        }
    }
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
