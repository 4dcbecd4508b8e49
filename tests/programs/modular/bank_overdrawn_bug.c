// selvedge: assertion=unsafe race=safe
// flags: --property assertion --property race
// INFINITE: any number of threads, amounts of 32 bits
// The check before taking out is off by one.
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
        else if (x < 0 && x > -1000 && balance + x >= -1)
            balance += x;
        assert(balance >= 0); // FAIL!
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
