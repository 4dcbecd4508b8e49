// Pointers to arrays, arrays of pointers, and functions that return them.
// Declarator syntax in its harder forms.
#include <stdio.h>
static int grid[3][4];
static int (*row_of(int r))[4] { return &grid[r]; }
static int *cell(int r, int c) { return &(*row_of(r))[c]; }
static int (*pick(int which))(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int (*pick(int which))(int, int) { return which ? sub : add; }
typedef int row_t[4];
static int total(row_t *rows, int n) {
    int t = 0;
    while (n--) {
        for (int i = 0; i < 4; i++) t += (*rows)[i];
        rows++;
    }
    return t;
}
int main(void) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) *cell(i, j) = i * 4 + j;
    printf("%d %d\n", (*row_of(2))[3], row_of(1)[0][2]);
    printf("%d %d\n", pick(0)(7, 3), (*pick(1))(7, 3));
    printf("%d\n", total(grid, 3));
    int *refs[4] = {&grid[0][0], &grid[1][1], &grid[2][2], 0};
    int *(*refs_p)[4] = &refs;
    printf("%d %d\n", *(*refs_p)[1], (*refs_p)[3] == 0);
    int (*const table[2])(int, int) = {add, sub};
    printf("%d\n", table[0](1, 2) * table[1](9, 4));
    int (*(*tp)[2])(int, int) = (void *)&table;
    printf("%d\n", (*tp)[1](5, 6));
    printf("%zu %zu %zu\n", sizeof *refs_p, sizeof **refs_p, sizeof(row_t));
    return 0;
}
