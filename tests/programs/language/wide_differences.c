// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: -m32
// Addresses widened before they are subtracted: the difference is as wide as they are.
#include <assert.h>

static int items[4];
static int *volatile low = &items[1], *volatile high = &items[3];

int main(void)
{
    long long from = (long long)(unsigned long)low, to = (long long)(unsigned long)high;
    assert(to - from == 8);
    assert(from - to == -8 && from - to < 0);
    return 0;
}
