// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *unused)
{
    x = 1; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    x = 2; // RACE! x
    pthread_join(thread, NULL);
    assert(x == 2); // FAIL!
    return 0;
}
