// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// INFINITE: any number of threads
// What the threads share is a local of main, with its lock.
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
        shared->value++;
        assert(shared->value != 0);
        shared->value = 1;
        pthread_mutex_unlock(&shared->lock);
    }
}

int main(void) {
    struct shared shared;
    pthread_mutex_init(&shared.lock, 0);
    shared.value = 1;
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, &shared);
    }
}
