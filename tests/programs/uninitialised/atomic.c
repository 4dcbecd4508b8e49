// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// An atomic variable without an initialiser.
#include <assert.h>

int main(void)
{
    _Atomic int x;
    int a = x, b = x;
    assert(a == b);
    return 0;
}
