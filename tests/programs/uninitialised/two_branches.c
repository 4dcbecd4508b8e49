// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Two branches on one value go the same way.
#include <assert.h>

int main(void)
{
    int x, n = 0;
    int *p = &x;
    if (*p)
        n++;
    if (!*p)
        n++;
    assert(n == 1);
    return 0;
}
