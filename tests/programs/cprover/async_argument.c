// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// The thread evaluates the arguments of its call, not the one that starts it.
#include <assert.h>

static int global;

static void worker(int value)
{
    assert(value == 0); // FAIL!
}

int main(void)
{
__CPROVER_ASYNC_1:
    worker(global); // RACE! global
    global = 1; // RACE! global
    return 0;
}
