// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_mutex_lock(&lock);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_mutex_unlock(&lock);
    return 0;
}
