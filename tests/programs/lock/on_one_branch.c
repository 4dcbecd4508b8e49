// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The lock is taken on one way only.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int careful;
static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *unused)
{
    int locks = atomic_load(&careful);
    if (locks)
        pthread_mutex_lock(&lock);
    x = 1; // RACE! x
    if (locks)
        pthread_mutex_unlock(&lock);
    return unused;
}

static void *second(void *unused)
{
    atomic_store(&careful, 1);
    pthread_mutex_lock(&lock);
    x = 2; // RACE! x
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
