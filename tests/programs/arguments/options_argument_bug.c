// selvedge: assertion=unsafe
// flags: --property assertion --stop-on-fail
// One that takes none has none.
#include <assert.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int option;
    while ((option = getopt(argc, argv, "s:h")) != -1)
        if (option == 'h')
            assert(optarg != 0); // FAIL!
    return 0;
}
