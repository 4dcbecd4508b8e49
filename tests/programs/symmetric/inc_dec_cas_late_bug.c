// selvedge: assertion=unsafe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, a counter of 32 bits
// THREADS: 2
// That it went down is said too late.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

_Bool __VERIFIER_nondet_bool(void);

atomic_uint value;
atomic_bool went_up, went_down;

void up(void)
{
    unsigned old;
    do {
        old = value;
        if (old == UINT_MAX)
            return;
        went_up = 1;
    } while (!__sync_bool_compare_and_swap(&value, old, old + 1));
    unsigned now = value;
    assert(went_down || now > old); // FAIL!
}

void down(void)
{
    unsigned old;
    do {
        old = value;
        if (old == 0)
            return;
    } while (!__sync_bool_compare_and_swap(&value, old, old - 1));
    went_down = 1;
    unsigned now = value;
    assert(went_up || now < old);
}

void *worker(void *arg)
{
    if (__VERIFIER_nondet_bool())
        up();
    else
        down();
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
