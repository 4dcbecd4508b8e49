// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// It may be anything, though.
#include <assert.h>

int main(void)
{
    int x;
    int *p = &x;
    assert(*p == 0); // FAIL!
    return 0;
}
