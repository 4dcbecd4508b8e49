// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The same for a local whose address nobody takes.
#include <assert.h>

int main(void)
{
    int x;
    int a = x, b = x;
    assert(a == b);
    return 0;
}
