// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: -m32
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long x;

static void *worker(void *unused)
{
    assert(sizeof(long) == 4 && sizeof(void *) == 4);
    atomic_fetch_add(&x, 1);
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
