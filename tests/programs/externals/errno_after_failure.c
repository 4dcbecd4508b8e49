// selvedge: assertion=unsafe
// A function that fails says why: a retry after an interruption happens.
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void)
{
    char byte;
    errno = 0;
    if (read(0, &byte, 1) < 0 && errno == EINTR)
        assert(0); // FAIL!
    if (close(0) < 0)
        assert(errno != 0);
    return 0;
}
