// selvedge: assertion=safe memory=safe
// flags: --args=-n7
// What `--args` gives are real strings that can be changed; null comes after the last.
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    assert(argc == 2);
    assert(argv[argc] == 0);
    assert(argv[1][0] == '-' && argv[1][1] == 'n' && argv[1][3] == 0);
    argv[1][0] = '1';
    argv[1][1] = '0';
    assert(atoi(argv[1]) == 107);
    return 0;
}
