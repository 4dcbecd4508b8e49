// selvedge: race=safe
// flags: --property race
// INFINITE: any number of threads, values of 32 bits
// A pair of numbers that readers look at together, under a read-write lock.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int low, high;

void *reader(void *arg)
{
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        assert(low <= high);
        pthread_rwlock_unlock(&lock);
    }
}

void *writer(void *arg)
{
    for (;;) {
        int x = __VERIFIER_nondet_int();
        pthread_rwlock_wrlock(&lock);
        if (x >= low)
            high = x;
        pthread_rwlock_unlock(&lock);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, reader, 0);
        pthread_create(&t, 0, writer, 0);
    }
}
