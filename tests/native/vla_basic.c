// Variable length arrays: sizeof evaluated at run time, loops over them.
// Sizes from parameters and expressions.
#include <stdio.h>
static int triangle(int n) {
    int a[n];
    a[0] = 0;
    for (int i = 1; i < n; i++) a[i] = a[i - 1] + i;
    return a[n - 1] + (int)sizeof a;
}
int main(void) {
    for (int n = 1; n < 6; n++) printf("%d ", triangle(n));
    putchar('\n');
    int k = 3;
    char buf[k * 4 + 1];
    printf("%zu\n", sizeof buf);
    k = 100;
    printf("%zu\n", sizeof buf);
    for (unsigned i = 0; i + 1 < sizeof buf; i++) buf[i] = 'a' + i;
    buf[sizeof buf - 1] = 0;
    printf("%s\n", buf);
    for (int i = 1; i < 4; i++) {
        short s[i];
        for (int j = 0; j < i; j++) s[j] = i * j;
        printf("%zu %d ", sizeof s, s[i - 1]);
    }
    putchar('\n');
    return 0;
}
