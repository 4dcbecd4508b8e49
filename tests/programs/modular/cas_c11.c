// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads
// A lock made with C11 compare-and-exchange, the expected value in memory.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int value;

void *worker(void *argument) {
    for (;;) {
        int expected = 0;
        while (!atomic_compare_exchange_strong(&lock, &expected, 1))
            expected = 0;
        value = 1;
        assert(value == 1);
        value = 0;
        atomic_store(&lock, 0);
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
