// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: --threads 3
// The bound is not reached, so nothing is cut off.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *worker(void *unused)
{
    atomic_fetch_add(&x, 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_create(&t3, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    assert(x == 3);
    return 0;
}
