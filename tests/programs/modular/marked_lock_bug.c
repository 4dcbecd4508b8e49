// selvedge: race=unsafe
// flags: --property race
// Example 1 of paper 000, but thread two does not ask whether the lock is free.
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
        x = 1; // RACE! x
        m = 0;
    }
}

void *two(void *argument)
{
    for (;;) {
        m = 2;
        x = 2; // RACE! x
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
