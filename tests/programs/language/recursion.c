// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int total;

static int sum(int n)
{
    return n == 0 ? 0 : n + sum(n - 1);
}

static void *worker(void *unused)
{
    atomic_fetch_add(&total, sum(3));
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(total == 12);
    return 0;
}
