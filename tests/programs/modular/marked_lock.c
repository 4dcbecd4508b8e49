// selvedge: race=safe
// flags: --property race
// INFINITE: both threads go round for good
// A lock that says who holds it: Example 1 of paper 000.
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), __VERIFIER_assume(int);

atomic_int m;
int x;

void *one(void *argument)
{
    for (;;) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(m == 0);
        m = 1;
        __VERIFIER_atomic_end();
        x = 1;
        m = 0;
    }
}

void *two(void *argument)
{
    for (;;) {
        __VERIFIER_atomic_begin();
        __VERIFIER_assume(m == 0);
        m = 2;
        __VERIFIER_atomic_end();
        x = 2;
        m = 0;
    }
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_create(&t, 0, two, 0);
    return 0;
}
