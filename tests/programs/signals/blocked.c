// selvedge: assertion=unknown
// When signals are blocked is not modelled; that a handler might run all the same is no reason to call it wrong.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t has_run;

static void handler(int number)
{
    has_run = 1;
}

int main(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, 0);
    signal(SIGTERM, handler); // UNKNOWN! blocked
    assert(!has_run);
    return 0;
}
