// selvedge: livelock=unsafe
// flags: --property livelock
// Each waits for the other's flag before it sets its own.
#include <pthread.h>
#include <stdatomic.h>

atomic_int first, second;

void *one(void *arg)
{
    while (!atomic_load(&second)) { // LIVELOCK!
    }
    atomic_store(&first, 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    while (!atomic_load(&first)) { // LIVELOCK!
    }
    atomic_store(&second, 1);
    pthread_join(t, 0);
    return 0;
}
