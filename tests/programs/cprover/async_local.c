// The thread has its own copy of the locals, as they are when it starts.
#include <assert.h>

int main(void)
{
    int n = 1;
__CPROVER_ASYNC_1: {
        assert(n == 1);
        n = 5; // NORACE
        assert(n == 5);
    }
    n++; // NORACE
    assert(n == 2);
    return 0;
}
