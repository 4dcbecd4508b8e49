/* The lock of lock.c, acquired in two steps: look whether it is free, then take it. Both threads can look before either takes.
   The buggy version of paper 000's Example 1. Selvedge reports the race on `x` and the schedule: look, look, take, take. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int m;
static int x;

static void acquire(int self)
{
    while (atomic_load(&m) != 0) {
    }
    atomic_store(&m, self);
}

static void release(void)
{
    atomic_store(&m, 0);
}

static void *first(void *unused)
{
    acquire(1);
    x = 1;          // RACE! x
    assert(x == 1); // RACE! x FAIL!
    release();
    return unused;
}

static void *second(void *unused)
{
    acquire(2);
    x = 2;          // RACE! x
    assert(x == 2); // RACE! x FAIL!
    release();
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
