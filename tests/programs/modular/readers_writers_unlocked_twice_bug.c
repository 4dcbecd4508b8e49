// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads, values of 32 bits
// A reader gives its lock back twice, and so that of another one.
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data;

void *reader(void *arg)
{
    for (;;) {
        pthread_rwlock_rdlock(&lock);
        int seen = data; // RACE! data
        pthread_rwlock_unlock(&lock);
        if (seen < 0)
            pthread_rwlock_unlock(&lock);
    }
}

void *writer(void *arg)
{
    for (;;) {
        int x = __VERIFIER_nondet_int();
        pthread_rwlock_wrlock(&lock);
        data = x; // RACE! data
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
