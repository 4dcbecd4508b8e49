// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// A static local is shared by all threads.
#include <assert.h>
#include <pthread.h>

static int next(void)
{
    static int count;
    return ++count; // RACE! count
}

static int drawn[2];

static void *worker(void *slot)
{
    *(int *)slot = next();
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, &drawn[0]);
    pthread_create(&t2, NULL, worker, &drawn[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(drawn[0] != drawn[1]); // FAIL!
    return 0;
}
