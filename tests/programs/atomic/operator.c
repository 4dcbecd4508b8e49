// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The operators on an _Atomic object are atomic as a whole.
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

static void *worker(void *unused)
{
    x++;
    x += 2;
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 6);
    return 0;
}
