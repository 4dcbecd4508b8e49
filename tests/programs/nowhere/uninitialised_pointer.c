// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Assigned on every path before it is used.
#include <assert.h>
int __VERIFIER_nondet_int(void);
int x, y;

int main(void)
{
    int *p;
    if (__VERIFIER_nondet_int())
        p = &x;
    else
        p = &y;
    *p = 1;
    assert(x + y == 1);
    return 0;
}
