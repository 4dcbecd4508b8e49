// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// What is written over it counts.
#include <assert.h>

int main(void)
{
    unsigned short x;
    unsigned short *p = &x;
    unsigned short first = *p;
    *p = 3;
    assert(x == 3 || first == 3);
    assert(x == 3);
    return 0;
}
