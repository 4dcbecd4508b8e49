// selvedge: assertion=safe race=unsafe
// flags: --property assertion --property race
// INFINITE: any number of threads
// The reader takes no lock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
unsigned left, right;

void *mover(void *argument) {
    for (;;) {
        pthread_mutex_lock(&a);
        pthread_mutex_lock(&b);
        left++; // RACE! left
        right++;
        assert(left == right);
        pthread_mutex_unlock(&b);
        pthread_mutex_unlock(&a);
    }
}

void *reader(void *argument) {
    for (;;) {
        unsigned seen = left; // RACE! left
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, mover, 0);
        pthread_create(&thread, 0, reader, 0);
    }
}
