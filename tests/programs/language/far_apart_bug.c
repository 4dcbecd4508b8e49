// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// flags: --engine interference
// The same stretches, moved as one struct; the end of it was overwritten before.
#include <assert.h>

struct wide {
    char first;
    char gap[200];
    int last;
};

int main(void) {
    struct wide from, to;
    from.first = 1;
    from.last = 2;
    to = from;
    assert(to.first == 1 && to.last == 2);
    from.last = 3;
    to = from;
    assert(to.last == 2); // FAIL!
    return 0;
}
