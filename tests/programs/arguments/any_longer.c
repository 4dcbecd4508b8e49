// selvedge: memory=bounded
// flags: --property memory
// Every argument that is tried fits; longer ones are not tried, and nothing is said of them.
#include <string.h>

int main(int argc, char **argv) {
    char name[16];
    if (argc > 1)
        strcpy(name, argv[1]);
    return 0;
}
