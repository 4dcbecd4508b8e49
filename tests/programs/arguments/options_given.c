// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Options are told in their order, and what is none is behind them in the end.
#include <assert.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    char *argv[] = {"program", "-va7", "file", "--level=3", "--quick", "-b", "x", "rest", 0};
    int argc = sizeof argv / sizeof *argv - 1;
    int quick = 0, index = -1;
    const struct option known[] = {
        {"level", required_argument, 0, 'l'}, {"quick", no_argument, &quick, 4}, {"quiet", no_argument, 0, 'q'}, {0}};
    assert(getopt_long(argc, argv, "va:b:", known, &index) == 'v');
    assert(getopt_long(argc, argv, "va:b:", known, &index) == 'a' && optarg[0] == '7');
    assert(getopt_long(argc, argv, "va:b:", known, &index) == 'l' && index == 0 && strcmp(optarg, "3") == 0);
    assert(getopt_long(argc, argv, "va:b:", known, &index) == 0 && quick == 4 && index == 1);
    assert(getopt_long(argc, argv, "va:b:", known, &index) == 'b' && strcmp(optarg, "x") == 0);
    assert(getopt_long(argc, argv, "va:b:", known, &index) == -1);
    assert(strcmp(argv[optind], "file") == 0 && strcmp(argv[optind + 1], "rest") == 0 && optind + 2 == argc);
    return 0;
}
