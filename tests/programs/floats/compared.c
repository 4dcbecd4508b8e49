// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Comparisons are what they are, whatever the numbers.
#include <assert.h>

double __VERIFIER_nondet_double(void);
int __VERIFIER_nondet_int(void);

int main(void)
{
    double a = __VERIFIER_nondet_double(), b = __VERIFIER_nondet_double();
    int i = __VERIFIER_nondet_int();
    assert(!(a < b && b < a));
    assert(!(a < b) || !(a == b));
    assert(a <= b || b < a || a != a || b != b);
    assert(!(a < b) || -b < -a);
    if (i < 0 || i > 10)
        return 0;
    double twice = i * 2.0;
    assert(twice <= 20.0);
    return 0;
}
