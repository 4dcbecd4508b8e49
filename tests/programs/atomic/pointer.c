// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int data;
static _Atomic(int *) published;

static void *producer(void *unused)
{
    data = 3; // NORACE
    atomic_store(&published, &data);
    return unused;
}

static void *consumer(void *unused)
{
    int *seen = atomic_load(&published);
    if (seen != NULL)
        assert(*seen == 3); // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
