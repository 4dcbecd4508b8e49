// selvedge: assertion=unsafe
// flags: --property assertion --timeout 30
// INFINITE: any number of threads, numbers of 32 bits
// What is tried once may be done twice.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned tried = 998, done = 998;

void *worker(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (tried < 1000) {
            tried++;
            if (__VERIFIER_nondet_int())
                done += 2;
        }
        pthread_mutex_unlock(&m);
    }
}

void *watcher(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        assert(done <= 1000); // FAIL!
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
