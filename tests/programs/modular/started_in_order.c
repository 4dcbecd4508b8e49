// selvedge: race=safe
// flags: --property race
// INFINITE: loops without bound
// What is set while some threads run is read by those that are started later; the last ones have it to themselves.
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int settings, result;

void *logger(void *argument) {
    while (__VERIFIER_nondet_int())
        ;
    return argument;
}

void *worker(void *argument) {
    int sum = 0;
    while (__VERIFIER_nondet_int())
        sum += settings;
    result = sum; // NORACE
    return 0;
}

int main(void) {
    pthread_t log, work;
    pthread_create(&log, 0, logger, 0);
    settings = 3; // NORACE
    pthread_create(&work, 0, worker, 0);
    pthread_join(work, 0);
    settings = result; // NORACE
    pthread_create(&work, 0, worker, 0);
    pthread_join(work, 0);
    return result;
}
