// setjmp wherever C lets it stand, and the values that it returns.
#include <setjmp.h>
#include <stdio.h>
static jmp_buf back;
static int depth(int n, int value) {
    if (n == 0) longjmp(back, value);
    return depth(n - 1, value) + 1;
}
int main(void) {
    volatile int round = 0;
    int value = setjmp(back);
    printf("%d %d\n", round, value);
    if (round++ < 3) depth(round, 10 * round);
    if (setjmp(back) == 0) depth(2, 0);
    else printf("one\n");
    switch (setjmp(back)) {
    case 0: depth(0, -7);
    case -7: printf("minus seven\n"); break;
    default: printf("wrong\n");
    }
    if (!setjmp(back)) { printf("first\n"); depth(1, 2); }
    while (setjmp(back) != 4) { round++; depth(1, round < 8 ? 3 : 4); }
    printf("%d\n", round);
    jmp_buf copies[2];
    for (volatile int i = 0; i < 2; i++)
        if (setjmp(copies[i])) printf("copy %d\n", i); else printf("set %d\n", i);
    if (round < 9) { round = 9; longjmp(copies[1], 1); }
    return _setjmp(back) ? 5 : (_longjmp(back, 1), 6);
}
