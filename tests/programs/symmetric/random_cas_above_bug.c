// selvedge: assertion=unsafe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, numbers of 32 bits
// THREADS: 1
// Nothing keeps a number below the limit.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned __VERIFIER_nondet_uint(void);

atomic_uint seed = 1;

unsigned other_than(unsigned last)
{
    unsigned next;
    do
        next = __VERIFIER_nondet_uint();
    while (next == last);
    return next;
}

void *worker(void *arg)
{
    unsigned last, next;
    do {
        last = seed;
        next = other_than(last);
        assert(next != last);
    } while (!__sync_bool_compare_and_swap(&seed, last, next));
    unsigned result = next < 5 ? next : 5;
    assert(result <= 5);
    assert(seed <= 10); // FAIL!
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
