// selvedge: assertion=unsafe
// That a program has handlers of signals does not hide what is wrong without them.
#include <assert.h>
#include <signal.h>

static void handler(int number)
{
}

int main(void)
{
    signal(SIGTERM, handler);
    assert(0); // FAIL!
    return 0;
}
