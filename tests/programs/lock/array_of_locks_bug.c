// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The lock belongs to another bucket than the one that is changed.
#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int buckets[2];

static void add(int key)
{
    pthread_mutex_lock(&locks[key]);
    buckets[0]++; // RACE! buckets
    pthread_mutex_unlock(&locks[key]);
}

static void *first(void *unused)
{
    add(0);
    return unused;
}

static void *second(void *unused)
{
    add(1);
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
