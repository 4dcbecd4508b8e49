// selvedge: assertion=unsafe race=safe deadlock=safe memory=unsafe
// A sum that is met exactly, and a number that no integer can hold.
#include <assert.h>

double __VERIFIER_nondet_double(void);
int __VERIFIER_nondet_int(void);

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i <= 10)
        assert(i * 2.0 + 0.5 != 6.5); // FAIL!
    double large = __VERIFIER_nondet_double();
    return (int)large; // MEMORY! converts a floating-point number to an integer type that cannot hold it
}
