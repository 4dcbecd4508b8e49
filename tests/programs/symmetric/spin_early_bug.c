// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads
// THREADS: 2
// The lock is given back too early.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int whole = 1;

void *worker(void *arg)
{
    while (!__sync_bool_compare_and_swap(&lock, 0, 1)) {
    }
    whole = 0; // RACE! whole
    whole = 1; // RACE! whole
    lock = 0;
    assert(whole >= 1); // FAIL! RACE! whole
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
