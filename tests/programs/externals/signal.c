// selvedge: race=unknown
// A disposition that is no handler can be set; a handler does not run.
#include <signal.h>

void handler(int number)
{
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, handler); // UNKNOWN! provided that no handler of signals runs
    return 0;
}
