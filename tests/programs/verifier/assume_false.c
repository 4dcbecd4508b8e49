// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Nothing after an assumption that never holds can go wrong.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
static int x;

static void *worker(void *unused)
{
    __VERIFIER_assume(0);
    x = 1; // NORACE
    assert(0);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
