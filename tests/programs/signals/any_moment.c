// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The twin: what no handler can break, since it is done when the thread that it interrupts goes on, does not interrupt
// itself, and comes no more when it is not installed.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t first, second, depth;

static void handler(int number)
{
    assert(depth == 0);
    depth = 1;
    first = 1;
    second = 1;
    depth = 0;
}

int main(void)
{
    signal(SIGTERM, handler);
    int seen = first;
    assert(second >= seen);
    signal(SIGTERM, SIG_DFL);
    first = 0;
    assert(first == 0);
    return 0;
}
