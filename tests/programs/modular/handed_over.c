// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads, values of 32 bits
// Items are handed over through one place, with a condition variable.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int full, item;

void *put(void *arg)
{
    for (;;) {
        int v = __VERIFIER_nondet_int();
        pthread_mutex_lock(&m);
        while (full)
            pthread_cond_wait(&c, &m);
        item = v < 0 ? 0 : v;
        full = 1;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    }
}

void *get(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        while (!full)
            pthread_cond_wait(&c, &m);
        assert(item >= 0);
        full = 0;
        pthread_cond_broadcast(&c);
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, put, 0);
        pthread_create(&t, 0, get, 0);
    }
}
