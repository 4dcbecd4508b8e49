// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads
// One of them does not take the lock.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int hits, misses;

void hit(void) {
    pthread_mutex_lock(&m);
    hits = 1;
    pthread_mutex_unlock(&m);
}

void miss(void) {
    misses = 1; // RACE! misses
}

void (*handlers[2])(void) = {hit, miss};
int __VERIFIER_nondet_int(void);

void *worker(void *argument) {
    for (;;)
        handlers[__VERIFIER_nondet_int() ? 1 : 0]();
}

int main(void) {
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, 0, worker, 0);
    }
}
