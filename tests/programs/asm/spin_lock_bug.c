// selvedge: assertion=unsafe race=unsafe
// The twin looks, and then sets: single `mov`s are atomic, both together are not.
#include <assert.h>
#include <pthread.h>

static volatile int lock;
static int shared;

static int load(volatile int *word)
{
    int value;
    __asm__ __volatile__("movl %1, %0" : "=r"(value) : "m"(*word));
    return value;
}

static void store(volatile int *word, int value)
{
    __asm__ __volatile__("movl %1, %0" : "=m"(*word) : "ri"(value) : "memory");
}

static void *worker(void *unused)
{
    while (load(&lock)) // NORACE
        __asm__ __volatile__("pause");
    store(&lock, 1); // NORACE
    shared++; // RACE! shared
    store(&lock, 0);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(shared == 2); // FAIL!
    return 0;
}
