// selvedge: assertion=safe
// flags: --property assertion --timeout 30
// INFINITE: any number of threads, numbers of 32 bits
// What is received is never more than what was sent, which nobody compares: only whether they are equal is asked.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned sent, received;

void *sender(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (sent < 1000)
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
        assert(received <= 1000);
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
