// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *unused)
{
    int seen;
    again:
    seen = atomic_load(&x);
    if (!atomic_compare_exchange_strong(&x, &seen, seen + 1))
        goto again;
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2);
    return 0;
}
