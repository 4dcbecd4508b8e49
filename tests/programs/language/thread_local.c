// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static __thread int count = 10;

static void bump(void)
{
    count++; // NORACE
}

static void *worker(void *unused)
{
    bump();
    bump();
    assert(count == 12);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 10);
    return 0;
}
