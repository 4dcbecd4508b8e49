// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// Joining a thread does not wait for those that it has started.
#include <assert.h>
#include <pthread.h>

static int x;

static void *inner(void *unused)
{
    x = 1; // RACE! x
    return unused;
}

static void *outer(void *unused)
{
    pthread_t thread;
    pthread_create(&thread, NULL, inner, NULL);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, outer, NULL);
    pthread_join(t1, NULL);
    assert(x == 1); // RACE! x FAIL!
    return 0;
}
