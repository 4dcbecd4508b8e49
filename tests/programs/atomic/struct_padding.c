// selvedge: assertion=unsafe race=safe
// flags: --engine explicit
// Padding is compared, too: a compare-and-exchange may fail although all members are the same.
#include <assert.h>
#include <stdatomic.h>

struct padded {
    char tag;
    int value;
};

static _Atomic struct padded padded;

int main(void) {
    struct padded expected = atomic_load(&padded), new = {1, 2};
    int is_exchanged = atomic_compare_exchange_strong(&padded, &expected, new);
    assert(expected.tag == 0 && expected.value == 0);
    assert(is_exchanged); // FAIL!
    return 0;
}
