// selvedge: assertion=unsafe
// Another label behind the one that starts a thread changes nothing.
#include <assert.h>

static int x;

int main(void)
{
__CPROVER_ASYNC_1:
again:
    x = 1;
    assert(x == 1); // FAIL!
    return 0;
}
