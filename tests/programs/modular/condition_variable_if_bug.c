// selvedge: assertion=unsafe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads
// It is not looked at again after the wait.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int full, value;

void *producer(void *argument) {
    for (;;) {
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&changed, &m);
        value = 7;
        full = 1;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
}

void *consumer(void *argument) {
    for (;;) {
        pthread_mutex_lock(&m);
        if (!full)
            pthread_cond_wait(&changed, &m);
        assert(value == 7); // FAIL!
        value = 0;
        full = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, producer, 0);
        pthread_create(&thread, 0, consumer, 0);
    }
}
