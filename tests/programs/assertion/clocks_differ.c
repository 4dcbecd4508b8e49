// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Different clocks have nothing to do with each other.
#include <assert.h>
#include <time.h>

int main(void)
{
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    clock_gettime(CLOCK_REALTIME, &b);
    assert(b.tv_sec >= a.tv_sec); // FAIL!
    return 0;
}
