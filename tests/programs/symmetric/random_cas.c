// selvedge: assertion=safe
// flags: --property assertion
// INFINITE: any number of threads, numbers of 32 bits
// The same with compare-and-swap: whoever makes a number has seen the last one.
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
    while (next == last || next > 10);
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
    assert(seed <= 10);
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
