// Multi-dimensional arrays: indexing, sizeof at each level, decay to pointer to row.
// Rows are walked through int (*)[3] and flat int *.
#include <stdio.h>
static int sum_rows(int m[][3], int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) s += m[i][j] * (i + 1);
    return s;
}
static int corner(int (*c)[2][4]) { return c[1][1][3] + (*c)[0][0]; }
int main(void) {
    int m[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int cube[3][2][4];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 4; k++) cube[i][j][k] = i * 100 + j * 10 + k;
    printf("%zu %zu %zu\n", sizeof m, sizeof m[0], sizeof m[0][0]);
    printf("%zu %zu %zu %zu\n", sizeof cube, sizeof *cube, sizeof **cube, sizeof ***cube);
    printf("%d %d\n", sum_rows(m, 2), corner(cube));
    int (*row)[3] = m;
    row++;
    printf("%d %d %d\n", (*row)[0], row[-1][2], *(*row + 1));
    printf("%td %td\n", &m[1] - &m[0], &m[1][2] - &m[1][0]);
    printf("%d %d\n", *(*(m + 1) + 2), 1[m][0]);
    int *flat = &m[0][0];
    printf("%d\n", flat[0] + *(flat + 2));
    int (*whole)[2][3] = &m;
    printf("%d %d\n", (*whole)[1][1], (int)((char *)(whole + 1) - (char *)whole));
    int t[3][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 3; j++) t[j][i] = m[i][j];
    for (int i = 0; i < 3; i++) printf("%d %d\n", t[i][0], t[i][1]);
    return 0;
}
