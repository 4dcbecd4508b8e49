/* A cache behind a read-write lock: look-ups share the lock, a miss takes it for writing and looks again, for another thread
   may have filled the entry meanwhile. Selvedge proves that readers never see a half-written entry, and that it is filled once. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static struct {
    int valid, key, value;
} entry;
static int fills;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static int look_up(int key)
{
    pthread_rwlock_rdlock(&lock);
    int hit = entry.valid && entry.key == key;
    int value = entry.value;
    pthread_rwlock_unlock(&lock);
    if (hit)
        return value;

    pthread_rwlock_wrlock(&lock);
    if (!entry.valid) {
        entry.key = key;
        entry.value = key * key;
        entry.valid = 1;
        fills++;
    }
    value = entry.value;
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
    assert(fills == 1);
    return 0;
}
