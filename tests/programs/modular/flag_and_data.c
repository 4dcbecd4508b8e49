// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads
// One thread writes, sets a flag and is done; the others read when they see it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *reader(void *argument) {
    for (;;)
        if (atomic_load(&ready))
            assert(data == 42);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    pthread_create(&thread, 0, reader, 0);
    data = 42;
    atomic_store(&ready, 1);
    for (;;)
        pthread_create(&thread, 0, reader, 0);
}
