// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads
// The mode is changed under one lock only.
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
int mode;
unsigned data;

void *mover(void *argument) {
    for (;;) {
        pthread_mutex_lock(&a);
        mode = !mode; // RACE! mode
        pthread_mutex_unlock(&a);
    }
}

void *early(void *argument) {
    for (;;) {
        pthread_mutex_lock(&a);
        if (mode == 0)
            data++; // RACE! data
        pthread_mutex_unlock(&a);
    }
}

void *late(void *argument) {
    for (;;) {
        pthread_mutex_lock(&b);
        if (mode == 1) // RACE! mode
            data++; // RACE! data
        pthread_mutex_unlock(&b);
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, mover, 0);
        pthread_create(&thread, 0, early, 0);
        pthread_create(&thread, 0, late, 0);
    }
}
