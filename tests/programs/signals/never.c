// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: --no-signals
// The user takes the handler never to run.
#include <signal.h>
#include <string.h>

static volatile sig_atomic_t is_over;

static void handler(int number)
{
    is_over = 1;
}

int main(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigaction(SIGTERM, &action, 0);
    return is_over;
}
