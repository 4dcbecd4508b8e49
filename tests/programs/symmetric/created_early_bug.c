// selvedge: assertion=unsafe race=unsafe memory=safe
// flags: --property assertion --property race --property memory
// THREADS: 1
// Nothing keeps the thread from looking too early.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t handle;
int is_there;

void *worker(void *arg)
{
    assert(is_there); // FAIL! RACE! is_there
    return 0;
}

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_create(&handle, 0, worker, 0);
    is_there = 1; // RACE! is_there
    pthread_mutex_unlock(&lock);
    pthread_exit(0);
}
