// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <stdatomic.h>

extern void __CPROVER_assert(_Bool, const char *);
extern void __CPROVER_assume(_Bool);
static atomic_int done;
static int x;

static void worker(void)
{
    x = 1; // NORACE
    atomic_store(&done, 1);
}

int main(void)
{
__CPROVER_ASYNC_1:
    worker();
    __CPROVER_assume(atomic_load(&done) == 1);
    __CPROVER_assert(x == 1, "the worker is done"); // NORACE
    return 0;
}
