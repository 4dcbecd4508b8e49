// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Two elements differ.
#include <assert.h>

int main(void)
{
    char a[4];
    assert(a[1] == a[2]); // FAIL!
    return 0;
}
