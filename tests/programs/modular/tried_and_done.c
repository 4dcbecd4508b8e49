// selvedge: assertion=safe
// flags: --property assertion --timeout 30
// INFINITE: any number of threads, numbers of 32 bits
// Some of what is tried is done: that there is not more done than tried is said nowhere.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned tried, done;

void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (tried < 1000) {
            tried++;
            if (__VERIFIER_nondet_int())
                done++;
        }
        pthread_mutex_unlock(&m);
    }
}

void *watcher(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        assert(done <= 1000);
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
