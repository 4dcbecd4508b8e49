// selvedge: race=safe
// flags: --property race --timeout 3
// INFINITE: any number of threads, counters of 32 bits
// An array of counters, each with a lock of its own beside it.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

struct {
    pthread_mutex_t lock;
    unsigned count;
} slots[4] = {[0 ... 3] = {PTHREAD_MUTEX_INITIALIZER, 0}};

void *worker(void *arg)
{
    for (;;) {
        int i = __VERIFIER_nondet_int();
        if (i < 0 || i >= 4)
            continue;
        pthread_mutex_lock(&slots[i].lock);
        slots[i].count++; // NORACE
        pthread_mutex_unlock(&slots[i].lock);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
