// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads, tickets of 32 bits
// A ticket is looked at and then taken, in two steps.
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next, serving;
unsigned counter;

void *worker(void *arg)
{
    for (;;) {
        unsigned mine = atomic_load(&next);
        atomic_store(&next, mine + 1);
        while (atomic_load(&serving) != mine) {
        }
        counter++; // RACE! counter
        atomic_fetch_add(&serving, 1);
    }
}

int main(void)
{
    for (int i = 0; i < 1000; i++) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
    pthread_exit(0);
}
