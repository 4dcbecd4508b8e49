// selvedge: livelock=safe
// flags: --property livelock
#include <pthread.h>
#include <stdatomic.h>

atomic_flag lock = ATOMIC_FLAG_INIT;
int count;

void *worker(void *arg)
{
    while (atomic_flag_test_and_set(&lock)) {
    }
    if (count == 1) {
        atomic_flag_clear(&lock);
        return 0;
    }
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
        pthread_join(t[i], 0);
    return 0;
}
