// selvedge: race=safe
// flags: --property race --timeout 10
// INFINITE: any number of threads, counters of 32 bits
// Counters in one array, their locks in another; several counters share a lock.
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
    for (;;) {
        unsigned i = __VERIFIER_nondet_uint();
        if (i >= 16)
            continue;
        take(i);
        counts[i]++; // NORACE
        give(i);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
