// selvedge: race=unknown
// A disposition that is no handler can be set; a handler is not modelled.
#include <signal.h>

void handler(int number)
{
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, handler); // UNKNOWN! signal handlers are not modelled
    return 0;
}
