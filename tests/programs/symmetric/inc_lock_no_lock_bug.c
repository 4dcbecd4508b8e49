// selvedge: assertion=unsafe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, a counter of 32 bits
// THREADS: 3
// Without the lock the counter may be set back.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_uint value;

void *worker(void *arg)
{
    unsigned old = value;
    if (old == UINT_MAX)
        return 0;
    value = old + 1;
    assert(value > old); // FAIL!
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
