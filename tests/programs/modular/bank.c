// selvedge: assertion=safe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads, amounts of 32 bits
// Any number of clients pay in and take out, under a lock.
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int balance;

void *client(void *arg)
{
    for (;;) {
        int x = __VERIFIER_nondet_int();
        pthread_mutex_lock(&m);
        if (x > 0 && x < 1000 && balance < 1000000)
            balance += x;
        else if (x < 0 && x > -1000 && balance + x >= 0)
            balance += x;
        assert(balance >= 0);
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, client, 0);
    }
}
