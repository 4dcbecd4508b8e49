// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads
// What is changed under a lock is whole again before the lock is given back.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int whole = 1;

void *worker(void *arg)
{
    while (!__sync_bool_compare_and_swap(&lock, 0, 1)) {
    }
    whole = 0;
    whole = 1;
    assert(whole >= 1);
    lock = 0;
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
