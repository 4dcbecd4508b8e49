// selvedge: assertion=unknown
// Of e only the range of the function is known: that is no reason to call the assertion false.
#include <assert.h>
double exp(double);

int main(void)
{
    double e = exp(1.0); // UNKNOWN! exp
    assert(e < 3.0);
    return 0;
}
