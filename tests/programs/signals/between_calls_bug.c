// selvedge: assertion=unsafe
// A handler may run between two calls of the library, and nothing else need happen there.
#include <assert.h>
#include <signal.h>

static volatile sig_atomic_t interrupted;

static void handle(int number) { interrupted = number; }

int main(void) {
    signal(SIGINT, handle);
    signal(SIGINT, SIG_IGN);
    assert(interrupted == 0); // FAIL!
    return 0;
}
