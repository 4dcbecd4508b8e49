// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads
// Whether the value is ready is looked at without the lock.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int ready, value;

void *worker(void *arg)
{
    if (!ready) { // RACE! ready
        pthread_mutex_lock(&m);
        value = 42; // RACE! value
        ready = 1; // RACE! ready
        pthread_mutex_unlock(&m);
    }
    assert(value == 42); // RACE! value
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
