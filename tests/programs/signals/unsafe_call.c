// selvedge: race=unknown
// A handler that prints may interrupt one who does.
#include <signal.h>
#include <stdio.h>

static void handler(int number)
{
    printf("%d\n", number); // UNKNOWN! not async-signal-safe
}

int main(void)
{
    signal(SIGTERM, handler);
    return 0;
}
