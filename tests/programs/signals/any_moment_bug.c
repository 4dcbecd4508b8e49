// selvedge: assertion=unsafe
// A handler runs between any two steps, and leaves its error number behind.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t has_run;

static void handler(int number)
{
    assert(number == SIGTERM);
    has_run = 1;
    close(-1);
}

int main(void)
{
    errno = 0;
    signal(SIGTERM, handler);
    assert(!has_run);      // FAIL!
    assert(errno == 0);    // FAIL!
    return 0;
}
