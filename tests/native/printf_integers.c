// printf integer conversions: d i u o x X c with flags, width, precision and lengths.
// Width and precision through * as well.
#include <stdio.h>
int main(void) {
    int v[] = {0, 1, -1, 42, -12345, 2147483647};
    for (int i = 0; i < 6; i++) {
        printf("[%d][%5d][%-5d][%05d][%+d][% d][%.3d][%8.4d][%-8.4d]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
        printf("[%u][%o][%x][%X][%#o][%#x][%08x][%#010x][%-#8x]\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    }
    printf("[%hhd][%hhu][%hd][%hu]\n", 300, 300, 70000, 70000);
    printf("[%ld][%lu][%lx][%lld][%llo]\n", -5000000000L, 18446744073709551615ul, 0xdeadbeefcafeL, -1LL, 8LL);
    printf("[%zu][%td][%jd]\n", sizeof(int), (char *)0 - (char *)0, (long)-7);
    printf("[%*d][%-*d][%.*d][%*.*d]\n", 6, 42, 6, 42, 4, 42, 8, 3, 42);
    printf("[%*d]\n", -6, 42);
    printf("[%c][%3c][%-3c]\n", 'a', 'b', 'c');
    printf("[%%]\n");
    printf("[%.0d][%.0d]\n", 0, 1);
    printf("[%i]\n", 077);
    int n = printf("count me\n");
    printf("%d\n", n);
    return 0;
}
