// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct timespec soon = {1, 0};
static int x;

static void *reader(void *unused)
{
    int status = pthread_rwlock_timedrdlock(&lock, &soon);
    assert(status == 0 || status == ETIMEDOUT);
    if (status == 0) {
        assert(x == 0 || x == 1); // NORACE
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    x = 1; // NORACE
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
