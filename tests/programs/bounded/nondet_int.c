// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: --timeout 10
// INFINITE: four thousand million choices, more than can be enumerated; one formula covers them.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int a, b;

static void *worker(void *unused)
{
    int choice = __VERIFIER_nondet_int();
    a = choice;
    b = choice;
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(a == b);
    return 0;
}
