// goto forwards, backwards, into blocks and loops, out of nested loops.
// Local labels of GNU C in statement expressions and blocks.
#include <stdio.h>
static int find(int m[3][3], int v) {
    int i, j;
    for (i = 0; i < 3; i++)
        for (j = 0; j < 3; j++)
            if (m[i][j] == v) goto found;
    return -1;
found:
    return i * 10 + j;
}
static int into_loop(int n) {
    int s = 0, i = n;
    goto middle;
    for (i = 0; i < 10; i++) {
        s += 100;
    middle:
        s += i;
    }
    return s;
}
static int cleanup(int fail) {
    int r = 0;
    if (fail == 1) goto one;
    r += 1;
    if (fail == 2) goto two;
    r += 2;
    return r;
two: r += 20;
one: r += 10;
    return r;
}
static int local_labels(int x) {
    int t = 0;
    for (int i = 0; i < 3; i++) {
        __label__ skip;
        if (i == x) goto skip;
        t += i + 1;
    skip:;
    }
    { __label__ skip; t *= 2; if (t > 5) goto skip; t = 99; skip: t++; }
    return t;
}
int main(void) {
    int m[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    printf("%d %d\n", find(m, 6), find(m, 10));
    printf("%d %d\n", into_loop(7), into_loop(20));
    printf("%d %d %d\n", cleanup(0), cleanup(1), cleanup(2));
    printf("%d %d %d\n", local_labels(0), local_labels(1), local_labels(5));
    int n = 0;
again:
    if (n < 5) { n++; goto again; }
    printf("%d\n", n);
    goto inside;
    { int x; x = 1000; inside: x = 3; n += x; }
    printf("%d\n", n);
    return n;
}
