// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// Each thread has its own control, so the routine runs twice.
#include <assert.h>
#include <pthread.h>

static pthread_once_t mine = PTHREAD_ONCE_INIT, yours = PTHREAD_ONCE_INIT;
static int runs;

static void initialise(void)
{
    runs++; // RACE! runs
}

static void *first(void *unused)
{
    pthread_once(&mine, initialise);
    return unused;
}

static void *second(void *unused)
{
    pthread_once(&yours, initialise);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(runs == 1); // FAIL!
    return 0;
}
