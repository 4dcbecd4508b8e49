// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads
// Who does not get the lock does something else.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int busy;

void *worker(void *argument) {
    for (;;) {
        if (pthread_mutex_trylock(&m) == 0) {
            assert(!busy);
            busy = 1;
            busy = 0;
            pthread_mutex_unlock(&m);
        }
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
