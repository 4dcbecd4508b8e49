// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: loops without bound
// What the threads did under a lock is looked at without it when they have been joined.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int count;

void *worker(void *argument) {
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        if (count < 5)
            count++;
        pthread_mutex_unlock(&m);
    }
    return 0;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    count = -1;
    assert(count == -1);
    return 0;
}
