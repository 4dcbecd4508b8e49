// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The flag races, though it orders the accesses to `data` under every interleaving.
#include <assert.h>
#include <pthread.h>

static volatile int ready;
static int data;

static void *producer(void *unused)
{
    data = 7; // NORACE
    ready = 1; // RACE! ready
    return unused;
}

static void *consumer(void *unused)
{
    while (!ready) { // RACE! ready
    }
    assert(data == 7); // NORACE
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
