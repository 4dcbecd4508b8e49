// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Reading and writing apart: no race, but a lost update.
#include <assert.h>
#include <pthread.h>

static _Atomic int x;

static void *worker(void *unused)
{
    x = x + 1;
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2); // FAIL!
    return 0;
}
