// selvedge: race=unsafe deadlock=safe memory=safe
// flags: --engine interference
// The race is with the second access of a section, while the other thread stands there already.
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern int __VERIFIER_nondet_int(void);
static int x;
static _Atomic int z;
static void *work(void *unused)
{
    int k = z;
    k = k + 1;
    if (k > 0)
        k = k * 2;
    x = k; // RACE! x
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    __VERIFIER_atomic_begin();
    if (z == 0)
        z = 1;
    x = 2; // RACE! x
    __VERIFIER_atomic_end();
    pthread_join(t, NULL);
    return 0;
}
