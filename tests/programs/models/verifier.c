// Assertions, and what verification benchmarks use.
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_error(void);
extern void reach_error(void);
extern void __CPROVER_assume(_Bool);
extern void __CPROVER_assert(_Bool, const char *);

#if CASE == 0
int main(void)
{
    int n = __VERIFIER_nondet_int();
    assert(n != 1); // EXPECT[0]: assertion
    return __VERIFIER_nondet_bool(); // EXPECT[0]: exit 0 | exit 1
}
#elif CASE == 1
int main(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n == 0 || n == 1);
    return n; // EXPECT[1]: exit 0 | exit 1 | abandoned
}
#elif CASE == 2
int main(void)
{
    if (__VERIFIER_nondet_uchar() == 255)
        reach_error(); // EXPECT[2]: assertion
    return 0; // EXPECT[2]: exit 0
}
#elif CASE == 3
int main(void)
{
    __CPROVER_assume(1);
    __CPROVER_assert(2 + 2 == 5, "sum"); // EXPECT[3]: assertion
}
#elif CASE == 4
static int x;
static void *add(void *unused)
{
    __VERIFIER_atomic_begin();
    x = x + 1;
    __VERIFIER_atomic_end();
    return unused;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    add(0);
    pthread_join(t, 0);
    assert(x == 2);
    return x; // EXPECT[4]: exit 2
}
#elif CASE == 5
int main(void)
{
    __VERIFIER_error(); // EXPECT[5]: assertion
}
#endif
