// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// Two of three increments can be lost, never all.
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *unused)
{
    x += 1; // RACE! x
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
    assert(x >= 1);
    assert(x > 1); // FAIL!
    return 0;
}
