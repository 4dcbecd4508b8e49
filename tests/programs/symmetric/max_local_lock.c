// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, numbers of 32 bits
// Each thread finds the greatest of its own numbers first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int __VERIFIER_nondet_int(void);
_Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int greatest;

void *worker(void *arg)
{
    int own = 0;
    do {
        int number = __VERIFIER_nondet_int();
        if (own < number)
            own = number;
        assert(number <= own);
    } while (__VERIFIER_nondet_bool());
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
