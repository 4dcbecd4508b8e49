// selvedge: livelock=unsafe
// flags: --property livelock
// A way out of the function that does not give the lock back: whoever comes next spins, and main waits for him.
#include <pthread.h>
#include <stdatomic.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int count;

void *worker(void *arg)
{
    while (atomic_flag_test_and_set(&lock)) { // LIVELOCK!
    }
    if (count == 1)
        return 0;
    count++;
    atomic_flag_clear(&lock);
    return 0;
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, worker, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0); // LIVELOCK!
    return 0;
}
