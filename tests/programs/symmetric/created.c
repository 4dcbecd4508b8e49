// selvedge: assertion=safe race=safe memory=safe
// flags: --property assertion --property race --property memory
// A thread finds its own handle in a variable: whoever starts it keeps it out until the handle is there.
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_t handle;
int is_there;

void *worker(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    assert(is_there);
    return 0;
}

int main(void)
{
    pthread_mutex_lock(&lock);
    pthread_create(&handle, 0, worker, 0);
    is_there = 1;
    pthread_mutex_unlock(&lock);
    pthread_exit(0);
}
