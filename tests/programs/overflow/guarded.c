// selvedge: overflow=safe assertion=safe memory=safe
// flags: --property overflow --property assertion --property memory
// Nothing here overflows: what is not evaluated does not count, unsigned and atomic arithmetic wraps, narrow types are promoted.
#include <assert.h>
#include <limits.h>
#include <stdatomic.h>

atomic_int ticket = INT_MAX;

int add(int a, int b) {
    return b > 0 && a > INT_MAX - b ? INT_MAX : a + b;
}

int main(void) {
    unsigned u = UINT_MAX;
    u++;
    assert(u == 0 && u - 1 == UINT_MAX);
    char c = 127;
    c++;
    assert(c == -128);
    assert(add(INT_MAX, 1) == INT_MAX && add(1, 2) == 3);
    int x = INT_MAX;
    long wide = (long)x * 2;
    assert(wide > x);
    if (x < INT_MAX && x + 1 > 0)
        return 1;
    ticket++;
    assert(ticket == INT_MIN);
    return 0;
}
