// selvedge: race=safe
// flags: --property race
// INFINITE: threads that never end
// Two threads write one variable under one lock (paper 000, Example 1).
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;

void *one(void *argument) {
    for (;;) {
        pthread_mutex_lock(&m);
        x = 0;
        pthread_mutex_unlock(&m);
    }
}

void *two(void *argument) {
    for (;;) {
        pthread_mutex_lock(&m);
        x = 1;
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, one, 0);
    two(0);
}
