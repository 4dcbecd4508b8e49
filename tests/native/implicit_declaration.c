// Calls to functions that are not declared yet: C89's implicit int f().
// The definition follows; arguments are promoted.
#include <stdio.h>
int main(void) {
    int r = later(3, 4);
    char c = 10;
    printf("%d %d\n", r, later(c, 'a'));
    return missing_prototype() - 5;
}
int later(int a, int b) { return a * b; }
int missing_prototype() { return 11; }
