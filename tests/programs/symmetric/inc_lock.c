// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, a counter of 32 bits
// A counter that a lock guards only grows, until it is full.
#include <assert.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_uint value;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    unsigned old = value;
    if (old == UINT_MAX) {
        pthread_mutex_unlock(&lock);
        return 0;
    }
    value = old + 1;
    pthread_mutex_unlock(&lock);
    assert(value > old);
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
