// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The same barrier twice: the phases do not mix.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int x;

static void *first(void *unused)
{
    x = 1; // NORACE
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    assert(x == 2); // NORACE
    return unused;
}

static void *second(void *unused)
{
    pthread_barrier_wait(&barrier);
    x++; // NORACE
    pthread_barrier_wait(&barrier);
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
    return 0;
}
