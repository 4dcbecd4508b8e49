/* A cache with a key and a value that belong together, behind a readers-writer lock; every other of N threads writes, K times each.
   BUG: the last writer takes the lock for reading. */
#include "spawn.h"

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int key, value;

static void *work(void *number)
{
    int me = (int)(long)number;
    for (int k = 0; k < K; k++) {
        if (me % 2 == 0) {
#ifdef BUG
            if (me == 0)
                pthread_rwlock_rdlock(&lock);
            else
#endif
            pthread_rwlock_wrlock(&lock);
            key = me;
            value = me + 1;
            pthread_rwlock_unlock(&lock);
        } else {
            pthread_rwlock_rdlock(&lock);
            assert((key == 0 && value == 0) || value == key + 1);
            pthread_rwlock_unlock(&lock);
        }
    }
    return NULL;
}

int main(void)
{
    run(work);
    return 0;
}
