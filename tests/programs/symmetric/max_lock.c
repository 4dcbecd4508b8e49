// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, numbers of 32 bits
// The greatest number of all, under a lock: no less than each of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int greatest;

void *worker(void *arg)
{
    int own = __VERIFIER_nondet_int();
    pthread_mutex_lock(&lock);
    if (greatest < own)
        greatest = own;
    pthread_mutex_unlock(&lock);
    assert(own <= greatest);
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
