// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <stdatomic.h>

extern void __CPROVER_assert(_Bool, const char *);
static atomic_int x;

static void worker(void)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
}

int main(void)
{
__CPROVER_ASYNC_1:
    worker();
    __CPROVER_assert(atomic_load(&x) != 3, "never three");
    __CPROVER_assert(atomic_load(&x) != 1, "never one"); // FAIL!
    return 0;
}
