// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Two sections are not one.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int x;

static void *worker(void *unused)
{
    __VERIFIER_atomic_begin();
    int seen = x;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    x = seen + 1;
    __VERIFIER_atomic_end();
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
