// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// The time can run out while the lock is held by another.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timespec soon = {1, 0};

static void *worker(void *unused)
{
    int status = pthread_mutex_timedlock(&lock, &soon);
    if (status == 0) {
        x++; // NORACE
        pthread_mutex_unlock(&lock);
    } else {
        assert(status == ETIMEDOUT);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x >= 1);
    assert(x == 2); // FAIL!
    return 0;
}
