// selvedge: assertion=safe
// A signal is blocked while its handler runs, also where `signal` installed it.
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
    sigaction(SIGTERM, &action, 0);
    return depth;
}
