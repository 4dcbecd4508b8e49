// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// No race, yet an update is lost: the lock is released between reading and writing.
#include <assert.h>
#include <pthread.h>

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    int seen = x;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    x = seen + 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2); // FAIL!
    return 0;
}
