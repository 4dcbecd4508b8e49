// selvedge: assertion=unknown race=unknown deadlock=unknown memory=unknown
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
