// GNU range designators, alone, overridden and nested in structs.
// Character classes made from ranges.
#include <stdio.h>
static const unsigned char kind[128] = {['0' ... '9'] = 1, ['a' ... 'f'] = 2, ['A' ... 'F'] = 3, ['c'] = 9};
struct slot { int v; char on; };
static struct slot slots[6] = {[0 ... 5] = {.v = -1}, [2 ... 3] = {7, 1}, [4].on = 5};
int main(void) {
    const char *s = "x09afcAFG";
    for (; *s; s++) printf("%d", kind[(int)*s]);
    putchar('\n');
    for (int i = 0; i < 6; i++) printf("%d/%d ", slots[i].v, slots[i].on);
    putchar('\n');
    int a[10] = {1, [2 ... 4] = 5, 6, [8 ... 9] = 3};
    for (int i = 0; i < 10; i++) printf("%d ", a[i]);
    putchar('\n');
    int b[] = {[1 ... 3] = 2, [2] = 4};
    printf("%zu %d %d %d %d\n", sizeof b / sizeof *b, b[0], b[1], b[2], b[3]);
    int m[4][3] = {[1 ... 2] = {[0 ... 1] = 8}, [3][2] = 1};
    for (int i = 0; i < 4; i++) printf("%d%d%d ", m[i][0], m[i][1], m[i][2]);
    putchar('\n');
    return 0;
}
