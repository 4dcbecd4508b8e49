// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// An object that is too large for going through its states; that is the limit of one engine, and stops no other.
#include <assert.h>

static char huge[1UL << 34];

int main(void) {
    huge[5] = 1;
    huge[(1UL << 34) - 1] = 2;
    assert(huge[5] + huge[(1UL << 34) - 1] == 3);
    return 0;
}
