// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;

static void *worker(void *unused)
{
    assert(pthread_mutex_trylock(&lock) == 0);
    assert(pthread_mutex_trylock(&lock) == 0);
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_mutexattr_t kind;
    int type;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutexattr_gettype(&kind, &type);
    assert(type == PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
