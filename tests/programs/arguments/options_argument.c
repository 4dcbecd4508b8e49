// selvedge: assertion=bounded race=bounded deadlock=bounded memory=bounded
// An option that takes an argument is told with one, whatever the arguments are.
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "s:h")) != -1) {
        if (option == 's')
            assert(optarg != 0);
        else
            assert(option == 'h' || option == '?');
    }
    return 0;
}
