// selvedge: race=unsafe
// flags: --property race
// INFINITE: threads that never end
// One of two threads gives the lock back before it writes.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *one(void *argument) {
    for (;;) {
        pthread_mutex_lock(&m);
        x = 0; // RACE! x
        pthread_mutex_unlock(&m);
    }
}

void *two(void *argument) {
    for (;;) {
        pthread_mutex_lock(&m);
        pthread_mutex_unlock(&m);
        x = 1; // RACE! x
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    two(0);
}
