// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads
// The data are touched although the state was taken already.
#include <pthread.h>

int state, data;

void *worker(void *arg)
{
    for (;;) {
        int old = __sync_val_compare_and_swap(&state, 0, 1);
        if (old <= 1) {
            data++; // RACE! data
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
