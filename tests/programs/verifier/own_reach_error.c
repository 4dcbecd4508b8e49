// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Calling an error function is the failure, even where the program defines it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void reach_error(void)
{
    assert(0);
}

static void check(int condition)
{
    if (!condition)
        reach_error(); // FAIL!
}

static void *first(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, first, NULL);
    pthread_join(t1, NULL);
    check(atomic_load(&x) == 0);
    return 0;
}
