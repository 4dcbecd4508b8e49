// N queens for N = 4, 5 and 6, by arrays and by bit masks.
// Prints the number of solutions and the first one.
#include <stdio.h>
static int n, first[8], row[8];
static int safe(int r, int c) { for (int i = 0; i < r; i++) if (row[i] == c || row[i] - c == i - r || row[i] - c == r - i) return 0; return 1; }
static int place(int r) {
    if (r == n) { if (first[0] < 0) for (int i = 0; i < n; i++) first[i] = row[i]; return 1; }
    int t = 0;
    for (int c = 0; c < n; c++) if (safe(r, c)) { row[r] = c; t += place(r + 1); }
    return t;
}
static int masks(unsigned cols, unsigned left, unsigned right) {
    unsigned all = (1u << n) - 1;
    if (cols == all) return 1;
    int t = 0;
    for (unsigned free = all & ~(cols | left | right); free; free &= free - 1) {
        unsigned bit = free & -free;
        t += masks(cols | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return t;
}
int main(void) {
    for (n = 4; n <= 6; n++) {
        first[0] = -1;
        printf("%d %d:", place(0), masks(0, 0, 0));
        for (int i = 0; i < n; i++) printf(" %d", first[i]);
        putchar('\n');
    }
    return 0;
}
