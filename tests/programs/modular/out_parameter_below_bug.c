// selvedge: assertion=unsafe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads
// It may be one less than nothing.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int level;

void get(int *out) {
    pthread_mutex_lock(&m);
    *out = level;
    pthread_mutex_unlock(&m);
}

void put(int value) {
    pthread_mutex_lock(&m);
    level = value;
    pthread_mutex_unlock(&m);
}

void *worker(void *argument) {
    for (;;) {
        int value;
        get(&value);
        assert(value >= 0); // FAIL!
        if (value < 100)
            put(value - 1);
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
