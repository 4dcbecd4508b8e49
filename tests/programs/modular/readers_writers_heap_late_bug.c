// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of objects and threads, values of 32 bits
// The reader gives its lock back before it reads.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct account {
    pthread_rwlock_t lock;
    int balance;
};

void *reader(void *arg)
{
    struct account *account = arg;
    pthread_rwlock_rdlock(&account->lock);
    pthread_rwlock_unlock(&account->lock);
    return (void *)(long)account->balance; // RACE! heap
}

void *writer(void *arg)
{
    struct account *account = arg;
    pthread_rwlock_wrlock(&account->lock);
    account->balance = __VERIFIER_nondet_int(); // RACE! heap
    pthread_rwlock_unlock(&account->lock);
    return 0;
}

int main(void)
{
    for (;;) {
        struct account *account = malloc(sizeof *account);
        if (!account)
            return 1;
        pthread_rwlock_init(&account->lock, 0);
        account->balance = 0;
        pthread_t t;
        pthread_create(&t, 0, reader, account);
        pthread_create(&t, 0, reader, account);
        pthread_create(&t, 0, writer, account);
    }
}
