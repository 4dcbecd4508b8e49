// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// A lock from a plain variable is none.
#include <assert.h>
#include <pthread.h>

static int taken, x;

static void *worker(void *unused)
{
    while (taken) { // RACE! taken
    }
    taken = 1; // RACE! taken
    x++; // RACE! x
    taken = 0; // RACE! taken
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2); // FAIL!
    return 0;
}
