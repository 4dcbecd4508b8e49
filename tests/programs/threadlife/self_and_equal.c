// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_t seen[2];

static void *worker(void *slot)
{
    *(pthread_t *)slot = pthread_self(); // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, &seen[0]);
    pthread_create(&t2, NULL, worker, &seen[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(pthread_equal(seen[0], t1));
    assert(!pthread_equal(seen[0], seen[1]));
    assert(!pthread_equal(pthread_self(), t2));
    return 0;
}
