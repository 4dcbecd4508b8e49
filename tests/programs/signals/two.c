// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Handlers of different signals may interrupt each other.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t depth;

static void handler(int number)
{
    depth++;
    assert(depth == 1); // FAIL!
    depth--;
}

int main(void)
{
    signal(SIGTERM, handler);
    signal(SIGINT, handler);
    return depth;
}
