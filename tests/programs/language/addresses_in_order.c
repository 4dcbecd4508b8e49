// selvedge: assertion=safe memory=safe
// Whatever the order of addresses is, it is one: it does not change, and it is transitive.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int x, y;
struct { char first, second; } pair;

int main(void) {
    int local;
    int *heap = malloc(sizeof *heap);
    uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y, c = (uintptr_t)&local, d = (uintptr_t)heap;
    int before = a < b;
    assert(before == (a < b));
    assert(before == !(b < a));
    assert((a <= b) == before);
    assert((a > b) == !before);
    assert((b >= a) == before);
    assert(before == ((intptr_t)&x < (intptr_t)&y));
    if (a < b && b < c && c < d)
        assert(a < d && a < c && !(d < b));
    assert((uintptr_t)&pair.first < (uintptr_t)&pair.second);
    assert(!(a < a));
    assert((uintptr_t)(void *)0 < a);
    free(heap);
    return 0;
}
