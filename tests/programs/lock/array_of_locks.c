// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int buckets[2];

static void add(int key)
{
    pthread_mutex_lock(&locks[key % 2]);
    buckets[key % 2]++; // NORACE
    pthread_mutex_unlock(&locks[key % 2]);
}

static void *first(void *unused)
{
    add(0);
    add(1);
    return unused;
}

static void *second(void *unused)
{
    add(3);
    add(2);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(buckets[0] == 2 && buckets[1] == 2);
    return 0;
}
