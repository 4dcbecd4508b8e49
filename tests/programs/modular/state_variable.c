// selvedge: race=safe
// flags: --property race
// INFINITE: any number of threads
// A state variable that is taken with compare-and-swap protects the data.
#include <pthread.h>

int state, data;

void *worker(void *arg)
{
    for (;;) {
        int old = __sync_val_compare_and_swap(&state, 0, 1);
        if (old == 0) {
            data++; // NORACE
            __sync_lock_release(&state);
        }
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
