/* A producer and a consumer hand over `data` by a flag: 0 means the slot is free, 1 means that it is full.
   Figure 1 of paper 000. There is no lock at all, so lockset checkers warn. Selvedge proves the absence of races on `data`:
   it follows from the value of the flag whose turn it is. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *producer(void *unused)
{
    int next = 0;
    for (;;) {
        while (atomic_load(&flag) != 0) {
        }
        next = 1 - next;
        data = next; // NORACE
        atomic_store(&flag, 1);
    }
    return unused;
}

static void *consumer(void *unused)
{
    int expected = 0;
    for (;;) {
        while (atomic_load(&flag) != 1) {
        }
        expected = 1 - expected;
        int copy = data; // NORACE
        assert(copy == expected);
        atomic_store(&flag, 0);
    }
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, producer, NULL);
    pthread_create(&two, NULL, consumer, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
