// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <errno.h>
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct timespec soon = {1, 0};
static int x;

static void *writer(void *unused)
{
    int status = pthread_rwlock_timedwrlock(&lock, &soon);
    assert(status == 0 || status == ETIMEDOUT);
    if (status == 0) {
        x++; // NORACE
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 1 || x == 2);
    return 0;
}
