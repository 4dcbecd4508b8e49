// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A spin lock made with `xchg`, which is atomic on memory without a prefix.
#include <assert.h>
#include <pthread.h>

static volatile int lock;
static int shared;

static int exchange(volatile int *word, int value)
{
    __asm__ __volatile__("xchgl %0, %1" : "+r"(value), "+m"(*word) : : "memory");
    return value;
}

static void *worker(void *unused)
{
    while (exchange(&lock, 1))
        __asm__ __volatile__("rep; nop");
    shared++;
    exchange(&lock, 0);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(shared == 2);
    return 0;
}
