// selvedge: assertion=unsafe
// flags: --property assertion --timeout 30
// INFINITE: any number of threads, numbers of 32 bits
// The bound is looked at too late by one.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned sent = 999, received = 999;

void *sender(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (sent <= 1000)
            sent++;
        pthread_mutex_unlock(&m);
    }
}

void *receiver(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (received != sent)
            received++;
        assert(received <= 1000); // FAIL!
        pthread_mutex_unlock(&m);
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, sender, 0);
        pthread_create(&t, 0, receiver, 0);
    }
}
