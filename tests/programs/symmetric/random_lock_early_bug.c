// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads, numbers of 32 bits
// THREADS: 2
// The lock is given back before the new number is kept.
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
    unsigned last = seed, next = other_than(last); // RACE! seed
    pthread_mutex_unlock(&lock);
    seed = next; // RACE! seed
    assert(seed != last); // FAIL! RACE! seed
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
