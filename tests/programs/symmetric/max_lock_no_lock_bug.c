// selvedge: assertion=unsafe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, numbers of 32 bits
// THREADS: 2
// Without the lock a greater number may be lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int greatest;

void *worker(void *arg)
{
    int own = __VERIFIER_nondet_int();
    if (greatest < own)
        greatest = own;
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
