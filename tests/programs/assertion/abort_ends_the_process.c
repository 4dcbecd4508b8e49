// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// abort ends the process quietly; it is no assertion.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int broken;

static void *first(void *unused)
{
    atomic_store(&broken, 1);
    abort();
    return unused;
}

static void *second(void *unused)
{
    if (atomic_load(&broken))
        abort();
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(0);
    return 0;
}
