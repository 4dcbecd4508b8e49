// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int a, b;

static void *first(void *unused)
{
    a = 1; // NORACE
    pthread_barrier_wait(&barrier);
    assert(b == 2); // NORACE
    return unused;
}

static void *second(void *unused)
{
    b = 2; // NORACE
    pthread_barrier_wait(&barrier);
    assert(a == 1); // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_barrier_destroy(&barrier);
    return 0;
}
