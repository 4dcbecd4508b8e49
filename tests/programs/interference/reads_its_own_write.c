// selvedge: race=unsafe deadlock=safe memory=safe
// flags: --engine interference --mode full
// One step reads what it has written itself; while the thread stands before it, nothing is written yet.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

static int x;

static void *flip_twice(void *unused)
{
    __VERIFIER_atomic_begin();
    x ^= 1; // RACE! x
    x ^= 1; // RACE! x
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, flip_twice, NULL);
    return x; // RACE! x
}
