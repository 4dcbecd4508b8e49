// selvedge: assertion=unsafe memory=bounded
// The environment is any: there may be a variable in it.
#include <assert.h>

int main(int argc, char **argv, char **environment) {
    assert(environment[0] == 0); // FAIL!
    return 0;
}
