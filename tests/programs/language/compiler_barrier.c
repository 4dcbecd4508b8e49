// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// An empty asm statement keeps the compiler from moving accesses; to the program it does nothing.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *producer(void *unused)
{
    data = 1; // NORACE
    __asm__ volatile("" ::: "memory");
    atomic_store(&ready, 1);
    return unused;
}

static void *consumer(void *unused)
{
    if (atomic_load(&ready))
        assert(data == 1); // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
