// selvedge: assertion=unsafe race=unsafe
// flags: --property assertion --property race
// INFINITE: any number of threads, amounts of 32 bits
// The lock is given up before the account is changed.
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
        int before = balance; // RACE! balance
        pthread_mutex_unlock(&m);
        if (x > 0 && x < 1000 && before < 1000000)
            balance += x; // RACE! balance
        else if (x < 0 && x > -1000 && before + x >= 0)
            balance += x; // RACE! balance
        assert(balance >= 0); // FAIL! RACE! balance
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, client, 0);
    }
}
