// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A function whose name begins with __VERIFIER_atomic_ happens as one.
#include <assert.h>
#include <pthread.h>

static int x, y;

static void __VERIFIER_atomic_swap(void)
{
    int old = x; // NORACE
    x = y;       // NORACE
    y = old;     // NORACE
}

static void *worker(void *unused)
{
    __VERIFIER_atomic_swap();
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    x = 1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 1 && y == 0);
    return 0;
}
