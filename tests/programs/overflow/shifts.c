// selvedge: overflow=safe assertion=safe memory=safe
// flags: --property overflow --property assertion --property memory
// Shifts and quotients that fit: of unsigned numbers all do, of long those that are wider than int.
#include <assert.h>
#include <limits.h>

int main(void) {
    unsigned high = 1u << 31;
    high <<= 1;
    assert(high == 0);
    long wide = 1L << 31;
    assert(wide > INT_MAX && (3 << 29) == 1610612736);
    int x = INT_MIN;
    assert(x / 1 == x && x % 2 == 0 && (x + 1) / -1 == INT_MAX && x >> 31 == -1);
    return 0;
}
