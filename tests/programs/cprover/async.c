// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>

static int x;

static void worker(void)
{
    x++; // RACE! x
}

int main(void)
{
__CPROVER_ASYNC_1:
    worker();
__CPROVER_ASYNC_2:
    worker();
    assert(x != 1); // RACE! x FAIL!
    return 0;
}
