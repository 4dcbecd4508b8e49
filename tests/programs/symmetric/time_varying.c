// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// A mutex that holds at some times and not at others: whether a block is free is known while its owner holds the lock of the inode.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t inode_lock = PTHREAD_MUTEX_INITIALIZER, busy_lock = PTHREAD_MUTEX_INITIALIZER;
int inode, busy, block;

void *allocator(void *arg)
{
    pthread_mutex_lock(&inode_lock);
    if (inode == 0) {
        pthread_mutex_lock(&busy_lock);
        busy = 1;
        pthread_mutex_unlock(&busy_lock);
        inode = 1;
    }
    block = 1;
    assert(block == 1);
    pthread_mutex_unlock(&inode_lock);
    return 0;
}

void *deallocator(void *arg)
{
    pthread_mutex_lock(&busy_lock);
    if (busy == 0) {
        block = 0;
        assert(block == 0);
    }
    pthread_mutex_unlock(&busy_lock);
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, allocator, 0);
    pthread_create(&t, 0, deallocator, 0);
    pthread_exit(0);
}
