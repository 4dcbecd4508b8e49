// selvedge: assertion=safe
// flags: --property assertion --timeout 30
// INFINITE: any number of threads, numbers of 32 bits
// A loop counts some of its rounds: not more than there are.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int most;

void *worker(void *arg)
{
    for (;;) {
        int i = 0, counted = 0;
        while (i < 100) {
            if (__VERIFIER_nondet_int())
                counted++;
            i++;
        }
        pthread_mutex_lock(&m);
        most = counted;
        pthread_mutex_unlock(&m);
    }
}

void *watcher(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        assert(most <= 100);
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
        pthread_create(&t, 0, watcher, 0);
    }
}
