// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A lock from an atomic function that gives up the path when the lock is taken.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
static int taken, x;

static void __VERIFIER_atomic_acquire(void)
{
    __VERIFIER_assume(taken == 0);
    taken = 1;
}

static void __VERIFIER_atomic_release(void)
{
    taken = 0;
}

static void *worker(void *unused)
{
    __VERIFIER_atomic_acquire();
    x++; // NORACE
    __VERIFIER_atomic_release();
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2);
    return 0;
}
