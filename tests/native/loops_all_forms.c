// while, do-while and for with break, continue, empty parts and declared variables.
// Nested loops break only the innermost.
#include <stdio.h>
int main(void) {
    int n = 0;
    while (n < 3) printf("%d ", n++);
    do printf("%d ", n--); while (n > 0);
    do { n += 5; if (n == 5) continue; break; } while (n < 100);
    printf("%d\n", n);
    for (;;) { if (++n > 20) break; if (n % 2) continue; printf("%d ", n); }
    putchar('\n');
    for (int i = 0, j = 10; i < j; i += 2, j--) printf("%d,%d ", i, j);
    putchar('\n');
    int k = 3;
    for (; k;) k--;
    for (int k = 5; k < 7; k++) { int k = 100; printf("%d ", k); }
    printf("%d\n", k);
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            if (j == i) break;
            if (j == 1) continue;
            printf("%d%d ", i, j);
        }
    }
    putchar('\n');
    do ; while (0);
    while (0) printf("never");
    for (unsigned u = 3; u-- > 0;) printf("%u ", u);
    for (unsigned char c = 250; c > 5; c++) printf("%d ", c);
    putchar('\n');
    int steps = 0;
    for (long x = 27; x != 1; steps++) x = x % 2 ? 3 * x + 1 : x / 2;
    printf("%d\n", steps);
    return 0;
}
