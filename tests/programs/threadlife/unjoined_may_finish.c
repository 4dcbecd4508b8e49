// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Nobody waits for the thread, but it can be quick enough.
#include <assert.h>
#include <pthread.h>

static void *worker(void *unused)
{
    assert(0); // FAIL!
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    return 0;
}
