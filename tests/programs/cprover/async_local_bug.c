// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// What the thread does to its copy of a local, nobody else sees.
#include <assert.h>
#include <stdatomic.h>

static atomic_int done;

int main(void)
{
    int n = 1;
__CPROVER_ASYNC_1: {
        n = 2;
        done = 1;
    }
    if (done)
        assert(n == 2); // FAIL!
    return 0;
}
