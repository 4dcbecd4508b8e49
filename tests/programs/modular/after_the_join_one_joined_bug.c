// selvedge: race=unsafe
// flags: --property race
// INFINITE: loops without bound
// Only one of them is joined.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count;

void *worker(void *argument) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        if (count < 5) // RACE! count
            count++; // RACE! count
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    count = -1; // RACE! count
    assert(count == -1); // RACE! count
    return 0;
}
