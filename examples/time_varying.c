/* Which lock protects `block` changes with time: the inode's lock once the block is in use, the lock of `busy` before.
   The time-varying mutex of papers 000 and 004 (TIME-VMU), from a file system. No single lock covers all accesses, yet
   nothing races, and Selvedge proves it: the freeing thread touches the block only while `busy` says that nobody uses it. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int block, busy, inode;
static pthread_mutex_t inode_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t busy_lock = PTHREAD_MUTEX_INITIALIZER;

static void *allocate(void *unused)
{
    pthread_mutex_lock(&inode_lock);
    if (inode == 0) {
        pthread_mutex_lock(&busy_lock);
        busy = 1;
        pthread_mutex_unlock(&busy_lock);
        inode = 1;
    }
    block = 1; // NORACE
    assert(block == 1);
    pthread_mutex_unlock(&inode_lock);
    return unused;
}

static void *release(void *unused)
{
    pthread_mutex_lock(&busy_lock);
    if (busy == 0) {
        block = 0; // NORACE
        assert(block == 0);
    }
    pthread_mutex_unlock(&busy_lock);
    return unused;
}

int main(void)
{
    pthread_t one, two, three;
    pthread_create(&one, NULL, allocate, NULL);
    pthread_create(&two, NULL, allocate, NULL);
    pthread_create(&three, NULL, release, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    pthread_join(three, NULL);
    return 0;
}
