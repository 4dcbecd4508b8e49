// selvedge: assertion=unsafe memory=safe
// Nothing says in which order variables lie: each of these can fail.
#include <assert.h>
#include <stdint.h>

int x, y;

int main(void) {
    uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y;
    if (a < b)
        assert(b < a);  // FAIL!
    assert(a < b);      // FAIL!
    return 0;
}
