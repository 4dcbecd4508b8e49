// selvedge: memory=unsafe
// flags: --concurrent put --property memory --stop-on-fail
// The assertion is made where null was handled already, so null is given; what handles it forgets one case.
#include <assert.h>
#include <stddef.h>

struct box {
    int items;
};

void put(struct box *b, int n) {
    if (b == NULL && n > 0)
        return;
    assert(n > 0 || n <= 0);
    b->items = n; // MEMORY! null
}
