// selvedge: race=safe?
// flags: --property race --timeout 3
// INFINITE: any number of threads, tickets of 32 bits
// Tickets are served in the order in which they are drawn.
#include <pthread.h>
#include <stdatomic.h>

atomic_uint next, serving;
unsigned counter;

void *worker(void *arg)
{
    for (;;) {
        unsigned mine = atomic_fetch_add(&next, 1);
        while (atomic_load(&serving) != mine) {
        }
        counter++; // NORACE
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
