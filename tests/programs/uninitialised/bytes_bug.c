// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// The other byte is free.
#include <assert.h>

int main(void)
{
    unsigned short x;
    unsigned char *p = (unsigned char *)&x;
    *p = 7;
    assert(x == 7); // FAIL!
    return 0;
}
