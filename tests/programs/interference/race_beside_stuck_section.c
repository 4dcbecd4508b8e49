// selvedge: race=unsafe deadlock=safe memory=safe
// flags: --engine interference
// The race is inside a section of main, while another thread stands before a section of its own that it can never finish.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);

static int x;
static _Atomic int z;

static void *stuck(void *unused)
{
    __VERIFIER_atomic_begin();
    if (__VERIFIER_nondet_int())
        __VERIFIER_assume(z == 5);
    else
        __VERIFIER_assume(z == 6);
    __VERIFIER_atomic_end();
    return unused;
}

static void *work(void *unused)
{
    x = 1; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t s, t;
    pthread_create(&s, NULL, stuck, NULL);
    pthread_create(&t, NULL, work, NULL);
    __VERIFIER_atomic_begin();
    if (z == 0)
        z = 1;
    x = 2; // RACE! x
    __VERIFIER_atomic_end();
    return 0;
}
