// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// A pointer that was made before points to the local of the function, not to the copy.
#include <assert.h>

int main(void)
{
    int n = 0;
    int *pointer = &n;
__CPROVER_ASYNC_1:
    *pointer = 42;  // RACE! n
    assert(n == 0); // RACE! n FAIL!
    return 0;
}
