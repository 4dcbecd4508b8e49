// selvedge: assertion=unknown
// Handlers of different signals may interrupt each other; which of them are blocked meanwhile is not modelled.
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
    signal(SIGTERM, handler); // UNKNOWN! interrupts another
    signal(SIGINT, handler);
    return depth;
}
