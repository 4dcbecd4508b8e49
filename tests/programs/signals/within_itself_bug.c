// selvedge: assertion=unsafe
// The twin with SA_NODEFER, where handlers can be interrupted anyway: there are two.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t depth;

static void handler(int number)
{
    depth++;
    assert(depth == 1); // FAIL!
    depth--;
}

static void other(int number)
{
}

int main(void)
{
    struct sigaction action = {0};
    action.sa_handler = handler;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGTERM, &action, 0);
    signal(SIGINT, other);
    return depth;
}
