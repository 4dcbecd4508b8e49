#include <assert.h>

int main(int argc, char **argv) {
    assert(argc < 3 || argv[1][0] != 'x');
    return 0;
}
