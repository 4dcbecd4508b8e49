/* The cache of cache.c filled under the lock for reading: two threads hold it at once and both write.
   A lock was held at every access, but not one that excludes. Selvedge reports the races on `entry` and `fills`, and the locks
   held at both accesses. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static struct {
    int valid, value;
} entry;
static int fills;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int look_up(int key)
{
    pthread_rwlock_rdlock(&lock);
    if (!entry.valid) {          // RACE! entry
        entry.value = key * key; // RACE! entry
        entry.valid = 1;         // RACE! entry
        fills++;                 // RACE! fills
    }
    int value = entry.value; // RACE! entry
    pthread_rwlock_unlock(&lock);
    return value;
}

static void *worker(void *unused)
{
    assert(look_up(3) == 9);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(fills == 1); // FAIL!
    return 0;
}
