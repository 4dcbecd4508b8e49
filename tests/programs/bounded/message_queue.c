// selvedge: race=safe deadlock=safe? memory=safe?
// flags: --timeout 2 --property race --property deadlock --property memory
// INFINITE: the sequence numbers grow without bound.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned sent, received;

static void *sender(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        if (sent == received)
            sent++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *receiver(void *unused)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        if (received != sent)
            received++;
        assert(received == sent);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
