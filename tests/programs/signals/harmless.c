// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A disposition that is no handler can be set; a handler that does nothing does no harm.
#include <signal.h>

void handler(int number)
{
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, handler);
    return 0;
}
