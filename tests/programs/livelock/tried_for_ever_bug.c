// selvedge: livelock=unsafe
// flags: --property livelock
// A mutex whose owner has ended is tried for again and again.
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
    while (pthread_mutex_trylock(&m) != 0) { // LIVELOCK!
    }
    return 0;
}
