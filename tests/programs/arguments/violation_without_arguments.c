// selvedge: assertion=unsafe memory=bounded
// What goes wrong without arguments goes wrong.
#include <assert.h>

int main(int argc, char **argv) {
    assert(argc > 1); // FAIL!
    return 0;
}
