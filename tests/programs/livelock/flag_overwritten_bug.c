// selvedge: livelock=unsafe
// flags: --property livelock
// The flag is set before it is cleared for the first time, and main polls it for ever.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

atomic_int done;

void *worker(void *arg)
{
    atomic_store(&done, 1);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    atomic_store(&done, 0);
    while (!atomic_load(&done)) // LIVELOCK!
        sched_yield(); // LIVELOCK!
    return 0;
}
