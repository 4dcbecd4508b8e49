// selvedge: race=safe
// flags: --property race --timeout 30
// INFINITE: any number of threads, values of 32 bits
// Who gives a read lock back is not who took it: what each thread has added to the count does not say who reads, but `done` says that
// nobody has given it back yet.
#include <pthread.h>
#include <stdatomic.h>

pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
int data, seen;
atomic_int done;

void *helper(void *arg)
{
    while (!atomic_load(&done)) {
    }
    pthread_rwlock_unlock(&lock);
    return 0;
}

void *writer(void *arg)
{
    for (;;) {
        pthread_rwlock_wrlock(&lock);
        data++; // NORACE
        pthread_rwlock_unlock(&lock);
    }
}

int main(void)
{
    pthread_t t;
    pthread_rwlock_rdlock(&lock);
    pthread_create(&t, 0, helper, 0);
    for (int i = 0; i < 1000; i++)
        pthread_create(&t, 0, writer, 0);
    seen = data; // NORACE
    atomic_store(&done, 1);
    pthread_exit(0);
}
