// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Its elements differ, too.
#include <assert.h>

int main(void)
{
    int n = 3;
    char a[n];
    assert(a[0] == a[2]); // FAIL!
    return 0;
}
