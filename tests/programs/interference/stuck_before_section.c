// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// flags: --engine interference
// The section can never be finished, but main has gone on before it begins.
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

static _Atomic int busy;

static void *work(void *unused)
{
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_int())
        __VERIFIER_assume(busy == 5);
    else
        __VERIFIER_assume(busy == 6);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    busy = 1;
    assert(busy == 0); // FAIL!
    return 0;
}
