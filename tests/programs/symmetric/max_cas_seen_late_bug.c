// selvedge: assertion=unsafe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, numbers of 32 bits
// THREADS: 2
// What is compared is not what was looked at.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

atomic_int greatest;

void *worker(void *arg)
{
    int own = __VERIFIER_nondet_int();
    for (;;) {
        int seen = greatest;
        if (own <= seen)
            break;
        seen = greatest;
        if (__sync_bool_compare_and_swap(&greatest, seen, own))
            break;
    }
    assert(own <= greatest); // FAIL!
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
