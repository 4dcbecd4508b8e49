// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The bytes of a number are those that were read first.
#include <assert.h>

int main(void)
{
    unsigned short x;
    unsigned char *p = (unsigned char *)&x;
    unsigned char low = *p;
    assert((x & 0xff) == low);
    return 0;
}
