// selvedge: assertion=unsafe race=safe deadlock=safe memory=unsafe
// The last element but one is another value than the index says, and the index may be one too large.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);
static int a[100000];

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    if (i <= 100000) {
        a[i] = 1; // MEMORY! outside of its object
        a[99998] = 2;
        assert(a[i] == 1); // FAIL!
    }
    return 0;
}
