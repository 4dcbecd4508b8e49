// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// The accesses would race, but the assertion before them always fails.
#include <assert.h>
#include <pthread.h>

static int x;

static void *first(void *unused)
{
    x = 1; // NORACE
    return unused;
}

static void *second(void *unused)
{
    int yes = 0;
    assert(yes); // FAIL!
    x = 2; // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
