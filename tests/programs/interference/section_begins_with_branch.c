// selvedge: race=unsafe deadlock=safe memory=safe
// flags: --engine interference
// A thread can be inside its section before it has touched anything there.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

static int busy;

static void *work(void *unused)
{
    busy = 1; // RACE! busy
    busy = 0; // RACE! busy
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_int())
        __VERIFIER_assume(busy == 0); // RACE! busy
    else
        __VERIFIER_assume(busy != 0); // RACE! busy
    __VERIFIER_atomic_end();
    pthread_join(t, NULL);
    return 0;
}
