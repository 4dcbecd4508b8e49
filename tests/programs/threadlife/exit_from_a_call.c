// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// pthread_exit ends the thread, however deep in calls.
#include <assert.h>
#include <pthread.h>

static int x;

static void leave(void)
{
    x = 1;
    pthread_exit(NULL);
}

static void *worker(void *unused)
{
    leave();
    x = 2;
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(x == 1);
    return 0;
}
