// selvedge: race=unsafe?
// A tag above an address: who shifts it out again has the address. That is not modelled; the races on what it points to
// must not be passed over all the same.
#include <pthread.h>
#include <stdint.h>

int shared;
uint64_t tagged;

void *worker(void *argument) {
    int *pointer = (int *)(intptr_t)((int64_t)(tagged << 16) >> 16);
    *pointer = 1; // RACE! shared
    return argument;
}

int main(void) {
    pthread_t thread;
    tagged = (uint64_t)7 << 48 | (uint64_t)&shared;
    pthread_create(&thread, 0, worker, 0);
    shared = 2; // RACE! shared
    pthread_join(thread, 0);
    return 0;
}
