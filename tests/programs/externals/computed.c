// selvedge: assertion=unknown race=safe deadlock=safe
// What a function computes is no chance: that it is not modelled is no reason to call an assertion wrong.
#include <assert.h>
#include <math.h>

int main(void)
{
    int exponent;
    frexp(8.0, &exponent); // UNKNOWN! call of `frexp`
    assert(exponent == 4);
    return 0;
}
