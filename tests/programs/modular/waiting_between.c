// selvedge: assertion=safe
// flags: --property assertion --timeout 60
// INFINITE: any number of threads, numbers of 32 bits
// What was sent is waiting or received: the three together are never looked at.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
unsigned sent, waiting, received;

void *sender(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (sent < 1000) {
            sent++;
            waiting++;
        }
        pthread_mutex_unlock(&m);
    }
}

void *receiver(void *arg)
{
    for (;;) {
        pthread_mutex_lock(&m);
        if (waiting > 0) {
            waiting--;
            received++;
        }
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
