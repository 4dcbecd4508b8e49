// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// What is not named in an initialiser is zero; what was never written stays what it turned out to be.
#include <assert.h>

unsigned __VERIFIER_nondet_uint(void);
static int named[5000] = {1, 2, [4000] = 3};

int main(void)
{
    int open[2000];
    unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();
    if (i >= 2000 || j >= 2000)
        return 0;
    assert(named[2 * i] <= 3 && named[2 * i] >= 0);
    assert(named[2 * i + 1] != 1);
    int x = open[i], y = open[j];
    assert(i != j || x == y);
    assert(open[i] == x && open[j] == y);
    return 0;
}
