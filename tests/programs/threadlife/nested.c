// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A thread starts a thread and waits for it.
#include <assert.h>
#include <pthread.h>

static int x;

static void *inner(void *unused)
{
    x++; // NORACE
    return unused;
}

static void *outer(void *unused)
{
    pthread_t thread;
    x++; // NORACE
    pthread_create(&thread, NULL, inner, NULL);
    pthread_join(thread, NULL);
    x++; // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, outer, NULL);
    pthread_join(t1, NULL);
    assert(x == 3);
    return 0;
}
