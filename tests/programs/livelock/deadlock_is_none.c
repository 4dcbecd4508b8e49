// selvedge: livelock=safe deadlock=unsafe
// flags: --property livelock --property deadlock
// Who waits for a lock does not go round: that is a deadlock and no livelock.
#include <pthread.h>

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *owner(void *arg)
{
    pthread_mutex_lock(&m);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, owner, 0);
    pthread_join(t, 0);
    pthread_mutex_lock(&m); // DEADLOCK!
    return 0;
}
