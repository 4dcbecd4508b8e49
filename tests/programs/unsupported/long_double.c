// selvedge: assertion=unknown race=safe deadlock=unknown memory=unknown
// An execution ends where something depends on what is not modelled; a proof takes it for any value.
#include <assert.h>
#include <pthread.h>

static long double x = 1;

static void *worker(void *unused)
{
    x = x * 3; // UNKNOWN! long double
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(x > 2);
    return 0;
}
