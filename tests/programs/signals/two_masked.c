// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The twin: each blocks the other's signal while it runs.
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
    struct sigaction action;
    action.sa_handler = handler;
    action.sa_flags = 0;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaddset(&action.sa_mask, SIGINT);
    sigaction(SIGTERM, &action, 0);
    sigaction(SIGINT, &action, 0);
    return depth;
}
