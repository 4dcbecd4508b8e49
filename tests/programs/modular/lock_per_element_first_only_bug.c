// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads, counters of 32 bits
// Who adds them up holds the first lock only.
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
        slots[i].count++; // RACE! slots
        pthread_mutex_unlock(&slots[i].lock);
    }
}

void *auditor(void *arg)
{
    for (;;) {
        unsigned sum = 0;
        pthread_mutex_lock(&slots[0].lock);
        for (int i = 0; i < 4; i++)
            sum += slots[i].count; // RACE! slots
        pthread_mutex_unlock(&slots[0].lock);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, auditor, 0);
        pthread_create(&t, 0, worker, 0);
    }
}
