// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads
// Whoever comes first initialises the value.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ready, value;

void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    if (!ready) {
        value = 42;
        ready = 1;
    }
    assert(value == 42);
    pthread_mutex_unlock(&m);
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
    return 0;
}
