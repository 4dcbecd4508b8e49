// selvedge: assertion=unsafe race=unsafe
// flags: --property assertion --property race
// INFINITE: any number of threads
// The flag is set before the data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

int data;
atomic_int ready;

void *reader(void *argument) {
    for (;;)
        if (atomic_load(&ready))
            assert(data == 42); // FAIL! RACE! data
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, reader, 0);
    pthread_create(&thread, 0, reader, 0);
    atomic_store(&ready, 1);
    data = 42; // RACE! data
    for (;;)
        pthread_create(&thread, 0, reader, 0);
}
