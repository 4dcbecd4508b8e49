// selvedge: assertion=unsafe race=unsafe
// flags: --property assertion --property race
// INFINITE: any number of threads
// The lock may be taken while it is taken.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int value;

void *worker(void *argument) {
    for (;;) {
        int expected = 0;
        while (!atomic_compare_exchange_strong(&lock, &expected, 1))
            expected = 1;
        value = 1; // RACE! value
        assert(value == 1); // FAIL! RACE! value
        value = 0; // RACE! value
        atomic_store(&lock, 0);
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
