// selvedge: assertion=unknown race=safe? deadlock=safe memory=safe?
// flags: --engine interference
// INFINITE: a square of every number there is
// That a square is not negative depends on what is not modelled.
#include <assert.h>

double __VERIFIER_nondet_double(void);

int main(void)
{
    double number = __VERIFIER_nondet_double();
    double square = number * number; // UNKNOWN! floating-point arithmetic on a value that is not known
    assert(!(square < 0));
    return 0;
}
