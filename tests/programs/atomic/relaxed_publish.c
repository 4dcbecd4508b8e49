// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Weaker orders are treated as sequentially consistent; the report says so.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int ready;
static int data;

static void *producer(void *unused)
{
    data = 1;
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return unused;
}

static void *consumer(void *unused)
{
    if (atomic_load_explicit(&ready, memory_order_relaxed))
        assert(data == 1);
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
