// selvedge: memory=unsafe
// flags: --property memory --stop-on-fail
// An argument need not fit.
#include <string.h>

int main(int argc, char **argv) {
    char name[8];
    if (argc > 1)
        strcpy(name, argv[1]); // MEMORY! outside
    return 0;
}
