// Two-dimensional VLAs, VLA parameters int m[n][n], and pointers to VLA rows.
// Matrix product and trace.
#include <stdio.h>
static int trace(int n, int m[n][n]) {
    int t = 0;
    for (int i = 0; i < n; i++) t += m[i][i];
    return t;
}
static void product(int n, int a[n][n], int b[][n], int (*c)[n]) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
        }
}
int main(void) {
    int n = 3;
    int a[n][n], b[n][n], c[n][n];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) { a[i][j] = i + j; b[i][j] = i - j; }
    product(n, a, b, c);
    for (int i = 0; i < n; i++) printf("%d %d %d\n", c[i][0], c[i][1], c[i][2]);
    printf("%d %zu %zu\n", trace(n, c), sizeof a, sizeof a[0]);
    int rows = 2, cols = 5;
    int r[rows][cols];
    int (*p)[cols] = r;
    p[1][4] = 8;
    printf("%d %td\n", r[1][4], (char *)(p + 1) - (char *)p);
    return 0;
}
