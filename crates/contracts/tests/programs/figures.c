/* Two threads that hand a positive number around (Figure 2 of paper 003). The bounds keep the counters from wrapping around.
   With -DFIRST=-1 the first thread begins with a number that its abstract thread never writes. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FIRST
#define FIRST 1
#endif

int __VERIFIER_nondet_int(void);

static atomic_int g = 1;

static void *a(void *unused)
{
    int x = FIRST;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            x = g;
        else if (x < 1000)
            x = x + 1;
    }
    g = x;
    return unused;
}

static void *b(void *unused)
{
    int y = 1;
    while (__VERIFIER_nondet_int())
        if (y < 1000)
            y = y + 1;
    g = y;
    assert(g > 0);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, a, NULL);
    pthread_create(&other, NULL, b, NULL);
    return 0;
}
