// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int left, right;

static void *reader(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    assert(left == right); // NORACE
    pthread_rwlock_unlock(&lock);
    return unused;
}

static void *writer(void *unused)
{
    pthread_rwlock_wrlock(&lock);
    left++;
    right++;
    pthread_rwlock_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, reader, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_create(&t3, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
