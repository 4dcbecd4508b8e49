// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A main that does not look at its parameters is the same whatever they are.
#include <assert.h>

int main(int argc, char **argv) {
    (void)argc;
    (void)argv;
    assert(sizeof argc == 4);
    return 0;
}
