// selvedge: livelock=safe
// flags: --property livelock
// The flag is cleared before anybody can set it.
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
    atomic_store(&done, 0);
    pthread_create(&t, 0, worker, 0);
    while (!atomic_load(&done))
        sched_yield();
    return 0;
}
