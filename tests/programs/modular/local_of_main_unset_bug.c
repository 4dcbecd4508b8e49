// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads
// The value is set after the first thread was started.
#include <assert.h>
#include <pthread.h>

struct shared {
    pthread_mutex_t lock;
    int value;
};

void *worker(void *argument) {
    struct shared *shared = argument;
    for (;;) {
        pthread_mutex_lock(&shared->lock);
        shared->value++; // RACE! shared
        assert(shared->value != 0); // RACE! shared
        shared->value = 1; // RACE! shared
        pthread_mutex_unlock(&shared->lock);
    }
}

int main(void) {
    struct shared shared;
    pthread_mutex_init(&shared.lock, 0);
    pthread_t first;
    pthread_create(&first, 0, worker, &shared);
    shared.value = 1; // RACE! shared
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, &shared);
    }
}
