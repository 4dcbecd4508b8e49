// A lock made with C11's compare-and-exchange: what it expects is a local, set to 0 again after every failure.
#include <pthread.h>
#include <stdatomic.h>

atomic_int lock;
int value;

void *worker(void *argument)
{
    int expected = 0;
    while (!atomic_compare_exchange_strong(&lock, &expected, 1))
        expected = 0;
    value++; // NORACE
    atomic_store(&lock, 0);
    return 0;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
