// selvedge: assertion=safe
// A process keeps its number, and a fraction of a second is less than one.
#include <assert.h>
#include <time.h>
#include <unistd.h>

int main(void)
{
    assert(getpid() == getpid());
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_nsec >= 0 && now.tv_nsec <= 999999999);
    return 0;
}
