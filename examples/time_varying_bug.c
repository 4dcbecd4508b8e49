/* The freeing thread of time_varying.c lets go of the lock between looking at `busy` and touching the block.
   The buggy version of the time-varying mutex of paper 000. Selvedge reports the race on `block`: what the test has seen is no
   longer true when it matters. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
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
    block = 1;          // RACE! block
    assert(block == 1); // RACE! block FAIL!
    pthread_mutex_unlock(&inode_lock);
    return unused;
}

static void *release(void *unused)
{
    pthread_mutex_lock(&busy_lock);
    int in_use = busy;
    pthread_mutex_unlock(&busy_lock);
    if (!in_use) {
        block = 0;          // RACE! block
        assert(block == 0); // RACE! block FAIL!
    }
    return unused;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, allocate, NULL);
    pthread_create(&two, NULL, release, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
