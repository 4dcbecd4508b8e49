// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// A failing assertion ends its path; the race is found on the others.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;
static int x;

static void *first(void *unused)
{
    assert(atomic_load(&go) == 0); // FAIL!
    x = 1; // RACE! x
    return unused;
}

static void *second(void *unused)
{
    atomic_store(&go, 1);
    x = 2; // RACE! x
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
