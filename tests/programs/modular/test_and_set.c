// selvedge: race=safe
// flags: --property race
// INFINITE: any number of threads, a counter of 32 bits
// A lock made of a flag that is set and tested at once.
#include <pthread.h>
#include <stdatomic.h>

atomic_flag l = ATOMIC_FLAG_INIT;
unsigned counter;

static void lock(void)
{
    while (atomic_flag_test_and_set(&l)) {
    }
}

static void unlock(void)
{
    atomic_flag_clear(&l);
}

void *worker(void *arg)
{
    for (;;) {
        lock();
        counter++; // NORACE
        unlock();
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
