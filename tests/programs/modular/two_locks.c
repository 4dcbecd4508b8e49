// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads
// Two values under two locks, taken in one order.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
unsigned left, right;

void *mover(void *argument) {
    for (;;) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        left++;
        right++;
        assert(left == right);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
}

void *reader(void *argument) {
    for (;;) {
        pthread_mutex_lock(&a);
        unsigned seen = left;
        pthread_mutex_unlock(&a);
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, mover, 0);
        pthread_create(&thread, 0, reader, 0);
    }
}
