// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern _Bool __VERIFIER_nondet_bool(void);
static atomic_int x;

static void *worker(void *unused)
{
    atomic_fetch_add(&x, __VERIFIER_nondet_bool() ? 2 : 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x != 3); // FAIL!
    return 0;
}
