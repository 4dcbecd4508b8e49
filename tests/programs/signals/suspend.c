// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// `sigsuspend` lets a blocked signal through, and goes on when its handler has run.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t has_run;

static void handler(int number)
{
    has_run = 1;
}

int main(void)
{
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigprocmask(SIG_BLOCK, &set, &old);
    signal(SIGUSR1, handler);
    assert(!has_run);
    sigsuspend(&old);
    assert(has_run);
    has_run = 0;
    assert(!has_run);
    return 0;
}
