// selvedge: assertion=unsafe race=safe
// A call of the system can fail.
#include <assert.h>
#include <unistd.h>

int main(void)
{
    assert(chdir("/") == 0); // FAIL!
    return 0;
}
