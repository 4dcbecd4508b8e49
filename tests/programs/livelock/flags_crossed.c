// selvedge: livelock=safe
// flags: --property livelock
// Each sets its own flag before it waits for the other's.
#include <pthread.h>
#include <stdatomic.h>

atomic_int first, second;

void *one(void *arg)
{
    atomic_store(&first, 1);
    while (!atomic_load(&second)) {
    }
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    atomic_store(&second, 1);
    while (!atomic_load(&first)) {
    }
    pthread_join(t, 0);
    return 0;
}
