// selvedge: assertion=safe? race=safe deadlock=safe memory=safe
// flags: --timeout 2
// Recursion that no engine follows to its end uses the time that it is given; what does not depend on how deep it goes is proved.
#include <assert.h>

static int depth(int n) { return n == 0 ? 0 : 1 + depth(n - 1); }

int main(void) {
    assert(depth(1000000) == 1000000);
    return 0;
}
