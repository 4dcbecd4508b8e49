// main that reaches its end returns 0; a value of another main path is not used.
// The last statement's value must not leak into the status.
#include <stdio.h>
static int seven(void) { return 7; }
int main(int argc, char **argv) {
    if (argc > 5) return 3;
    printf("%d %d\n", argc, argv[argc] == 0);
    seven();
}
