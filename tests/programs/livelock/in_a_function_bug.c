// selvedge: livelock=unsafe
// flags: --property livelock
// What a function that is called in the loop does with its own locals changes nothing.
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;

static void look(int *at)
{
    *at = atomic_load(&ready);
}

void *worker(void *arg)
{
    int seen = 0;
    while (!seen) // LIVELOCK!
        look(&seen); // LIVELOCK!
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0); // LIVELOCK!
    return 0;
}
