// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, numbers of 32 bits
// Numbers that look random, each made of the last one under a lock: never the same twice in a row, never above the limit.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned seed = 1;

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
    pthread_mutex_lock(&lock);
    unsigned last = seed, next = other_than(last);
    seed = next;
    assert(seed != last);
    pthread_mutex_unlock(&lock);
    unsigned result = next < 10 ? next : 10;
    assert(result <= 10);
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
