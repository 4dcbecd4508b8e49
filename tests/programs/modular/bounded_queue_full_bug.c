// selvedge: assertion=unsafe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads
// One more than there is room for.
#include <assert.h>
#include <pthread.h>

#define SIZE 8
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned head, count;
long items[SIZE];

void *producer(void *argument) {
    for (;;) {
        pthread_mutex_lock(&m);
        if (count <= SIZE) {
            items[(head + count) % SIZE] = 1;
            count++;
        }
        assert(count <= SIZE); // FAIL!
        pthread_mutex_unlock(&m);
    }
}

void *consumer(void *argument) {
    for (;;) {
        pthread_mutex_lock(&m);
        if (count > 0) {
            long item = items[head];
            head = (head + 1) % SIZE;
            count--;
        }
        assert(count <= SIZE && head < SIZE);
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
