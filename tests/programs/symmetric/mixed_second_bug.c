// selvedge: assertion=unsafe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, counters of 32 bits
// THREADS: 2
// Two may get in.
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
    if (came <= 2) {
        for (;;) {
            counted++;
            own++;
            assert(counted == own); // FAIL!
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
