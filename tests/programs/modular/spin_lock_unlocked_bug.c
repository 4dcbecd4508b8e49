// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads
// It is given back too early.
#include <assert.h>
#include <pthread.h>

pthread_spinlock_t lock;
int value;

void *worker(void *argument) {
    for (;;) {
        pthread_spin_lock(&lock);
        value++; // RACE! value
        pthread_spin_unlock(&lock);
        value = 0; // RACE! value
    }
}

int main(void) {
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
