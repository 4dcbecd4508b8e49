// The comma operator, nested conditionals, and the common type of ?: branches.
// Side effects show that exactly one branch is evaluated.
#include <stdio.h>
static int calls;
static int note(int x) { calls = calls * 10 + x; return x; }
int main(void) {
    int a = (note(1), note(2), note(3));
    printf("%d %d\n", a, calls);
    calls = 0;
    int b = a > 2 ? note(4) : note(5);
    printf("%d %d\n", b, calls);
    calls = 0;
    for (int i = 0; i < 5; i++)
        printf("%d ", i < 1 ? note(1) : i < 2 ? note(2) : i < 3 ? note(3) : note(4));
    printf("%d\n", calls);
    int neg = -1;
    unsigned one = 1;
    printf("%d\n", (1 ? neg : one) > 0);
    printf("%ld\n", (long)(1 ? neg : one));
    printf("%zu %zu\n", sizeof(1 ? (char)1 : (char)2), sizeof(0 ? 1 : 2LL));
    printf("%.1f\n", 1 ? 1 : 2.0);
    int x = 0, y = 0;
    (a == 3 ? &x : &y)[0] = 9;
    printf("%d %d\n", x, y);
    int i, j;
    for (i = 0, j = 10; i < j; i++, j -= 2)
        ;
    printf("%d %d\n", i, j);
    char *s = a ? "yes" : (void *)0;
    printf("%s\n", s);
    return 0;
}
