// selvedge: assertion=unsafe
// A flag that is read through a pointer.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t is_over;

static void handler(int number)
{
    is_over = 1;
}

static int look(volatile sig_atomic_t *flag)
{
    return *flag;
}

int main(void)
{
    signal(SIGTERM, handler);
    assert(!look(&is_over)); // FAIL!
    return 0;
}
