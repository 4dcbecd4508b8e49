// Matrix multiplication, transposition and exponentiation of 2x2 and 3x3 matrices.
// Matrices are passed by value inside structs and by array parameters.
#include <stdio.h>
typedef struct { long m[2][2]; } mat2;
static mat2 mul2(mat2 a, mat2 b) {
    mat2 c = {{{0}}};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            for (int k = 0; k < 2; k++) c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}
static mat2 power(mat2 b, unsigned e) {
    mat2 r = {{{1, 0}, {0, 1}}};
    for (; e; e >>= 1, b = mul2(b, b)) if (e & 1) r = mul2(r, b);
    return r;
}
static void mul3(const int a[3][3], const int b[3][3], int c[3][3]) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) { int s = 0; for (int k = 0; k < 3; k++) s += a[i][k] * b[k][j]; c[i][j] = s; }
}
int main(void) {
    mat2 f = power((mat2){{{1, 1}, {1, 0}}}, 30);
    printf("%ld %ld %ld\n", f.m[0][0], f.m[0][1], f.m[1][1]);
    int a[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 10}}, b[3][3], c[3][3];
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) b[j][i] = a[i][j];
    mul3(a, b, c);
    for (int i = 0; i < 3; i++) printf("%d %d %d\n", c[i][0], c[i][1], c[i][2]);
    int det = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) + a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    printf("%d\n", det);
    return 0;
}
