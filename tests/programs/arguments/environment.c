// selvedge: assertion=bounded memory=bounded
// The environment is empty, which says little of others.
#include <assert.h>

int main(int argc, char **argv, char **environment) {
    assert(environment[0] == 0);
    return 0;
}
