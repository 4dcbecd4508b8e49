// selvedge: race=unsafe
// flags: --property race --timeout 10
// INFINITE: any number of threads, counters of 32 bits
// The index is changed after the lock was taken.
#include <pthread.h>

unsigned __VERIFIER_nondet_uint(void);

pthread_mutex_t locks[4] = {[0 ... 3] = PTHREAD_MUTEX_INITIALIZER};
unsigned counts[16];

static void take(unsigned i)
{
    pthread_mutex_lock(&locks[i % 4]);
}

static void give(unsigned i)
{
    pthread_mutex_unlock(&locks[i % 4]);
}

void *worker(void *arg)
{
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= 15)
        return 0;
    unsigned next = __VERIFIER_nondet_uint() % 2;
    take(i);
    i += next;
    counts[i]++; // RACE! counts
    give(i - next);
    return 0;
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
