// selvedge: assertion=unsafe race=unsafe
// The twin without the prefix: a load, and then a store.
#include <assert.h>
#include <pthread.h>

static int count = 2, freed;

static int add(int *count, int change)
{
    __asm__ __volatile__("xaddl %0, %1" : "+r"(change), "+m"(*count) : : "memory", "cc"); // RACE! count
    return change;
}

static void *worker(void *unused)
{
    if (add(&count, -1) == 1)
        __atomic_fetch_add(&freed, 1, __ATOMIC_SEQ_CST);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, 0, worker, 0);
    pthread_create(&second, 0, worker, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(freed == 1); // FAIL!
    return 0;
}
