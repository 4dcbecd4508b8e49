/* The producer raises the flag before the data is there. The buggy version of paper 000's Figure 1.
   Selvedge reports the race on `data` and, as a second check, a schedule in which the consumer sees the old value. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int data;

static void *producer(void *unused)
{
    while (atomic_load(&flag) != 0) {
    }
    atomic_store(&flag, 1);
    data = 1; // RACE! data
    return unused;
}

static void *consumer(void *unused)
{
    while (atomic_load(&flag) != 1) {
    }
    int copy = data;   // RACE! data
    assert(copy == 1); // FAIL!
    atomic_store(&flag, 0);
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
