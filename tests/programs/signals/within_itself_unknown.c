// selvedge: assertion=unknown
// The twin: with SA_NODEFER it is not. In a program whose handlers are of one signal only that is not modelled.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t depth;

static void handler(int number)
{
    depth++;
    assert(depth == 1);
    depth--;
}

int main(void)
{
    struct sigaction action = {0};
    action.sa_handler = handler;
    action.sa_flags = SA_NODEFER;
    sigaction(SIGTERM, &action, 0); // UNKNOWN! SA_NODEFER
    return depth;
}
