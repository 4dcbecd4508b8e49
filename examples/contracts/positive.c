/* Two threads that compute with numbers of their own and write the result to g, which stays positive.
   Figure 2 of paper 003; its abstract threads are in positive.threads. */
// selvedge: race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static atomic_int g = 1;

static void *first(void *unused)
{
    int x = 1;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            x = atomic_load(&g);
        else if (x < 1000)
            x = x + 1;
    }
    atomic_store(&g, x);
    return unused;
}

static void *second(void *unused)
{
    int y = 1;
    while (__VERIFIER_nondet_int()) {
        if (y < 1000)
            y = y + 1;
    }
    atomic_store(&g, y);
    assert(atomic_load(&g) > 0);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
