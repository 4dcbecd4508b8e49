// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// An index with more values than can be tried one by one.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);
static int a[1000];

int main(void)
{
    unsigned i = __VERIFIER_nondet_uint();
    if (i < 1000) {
        a[i] = 1;
        assert(a[i] == 1);
    }
    return 0;
}
