// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int initialised, runs;

static void *worker(void *unused)
{
    if (!initialised) { // RACE! initialised
        initialised = 1; // RACE! initialised
        runs++; // RACE! runs
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(runs == 1); // FAIL!
    return 0;
}
