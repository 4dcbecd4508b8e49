// selvedge: assertion=unknown
// The same for the same arguments: this is not any number.
#include <assert.h>

int __CPROVER_uninterpreted_hash(int);

int main(void) {
    assert(__CPROVER_uninterpreted_hash(1) == __CPROVER_uninterpreted_hash(1)); // UNKNOWN! uninterpreted functions
    return 0;
}
