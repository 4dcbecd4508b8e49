// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>

extern void __CPROVER_atomic_begin(void);
extern void __CPROVER_atomic_end(void);
static int x;

static void worker(int amount)
{
    __CPROVER_atomic_begin();
    x += amount; // NORACE
    __CPROVER_atomic_end();
}

int main(void)
{
__CPROVER_ASYNC_1:
    worker(1);
__CPROVER_ASYNC_2:
    worker(2);
    __CPROVER_atomic_begin();
    int seen = x; // NORACE
    __CPROVER_atomic_end();
    assert(seen >= 0 && seen <= 3);
    assert(seen < 3); // FAIL!
    return 0;
}
