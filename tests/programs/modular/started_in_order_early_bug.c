// selvedge: race=unsafe
// flags: --property race
// INFINITE: loops without bound
// The second worker is started before the first one has been joined.
#include <pthread.h>

int __VERIFIER_nondet_int(void);
int settings, result;

void *worker(void *argument) {
    int sum = 0;
    while (__VERIFIER_nondet_int())
        sum += settings;
    result = sum; // RACE! result
    return 0;
}

int main(void) {
    pthread_t one, two;
    settings = 3; // NORACE
    pthread_create(&one, 0, worker, 0);
    pthread_create(&two, 0, worker, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return result; // NORACE
}
