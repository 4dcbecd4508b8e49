// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// THREADS: 2
// The block is used before it is said to be busy.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t inode_lock = PTHREAD_MUTEX_INITIALIZER, busy_lock = PTHREAD_MUTEX_INITIALIZER;
int inode, busy, block;

void *allocator(void *arg)
{
    pthread_mutex_lock(&inode_lock);
    if (inode == 0) {
        inode = 1;
    }
    block = 1; // RACE! block
    assert(block == 1); // FAIL! RACE! block
    pthread_mutex_lock(&busy_lock);
    busy = 1;
    pthread_mutex_unlock(&busy_lock);
    pthread_mutex_unlock(&inode_lock);
    return 0;
}

void *deallocator(void *arg)
{
    pthread_mutex_lock(&busy_lock);
    if (busy == 0) {
        block = 0; // RACE! block
        assert(block == 0); // FAIL! RACE! block
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
