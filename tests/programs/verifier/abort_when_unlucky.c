// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The usual way to assume without assume.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);
static atomic_int x;

static void assume_abort_if_not(int condition)
{
    if (!condition)
        abort();
}

static void *worker(void *unused)
{
    int choice = __VERIFIER_nondet_bool();
    assume_abort_if_not(choice == 1);
    atomic_fetch_add(&x, choice);
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
