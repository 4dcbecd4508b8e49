/* Test, then set: the lock of tas_lock.c with the swap taken apart. Two threads can pass the test together.
   Selvedge reports the race on `shared`; the atomics around it do not help. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int shared;

static void *worker(void *unused)
{
    while (atomic_load(&taken)) {
    }
    atomic_store(&taken, 1);
    shared++; // RACE! shared
    atomic_store(&taken, 0);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(shared == 2); // FAIL!
    return 0;
}
