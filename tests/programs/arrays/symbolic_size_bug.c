// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// One past the end of memory of any size.
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 1000000)
        return 0;
    char *p = malloc(n + 1);
    p[n] = 0;
    p[n + 1] = 0; // MEMORY! outside of its object
    free(p);
    return 0;
}
