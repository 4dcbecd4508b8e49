// Jumps to one of several activations of a function, out of callbacks, and past what has a cleanup attribute.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
static jmp_buf *levels[6];
static int walk(int level, int to) {
    jmp_buf own;
    volatile int visits = 0;
    levels[level] = &own;
    int value = setjmp(own);
    visits++;
    printf("level %d visit %d value %d\n", level, visits, value);
    if (value) return level * 10 + visits;
    if (level == 5) longjmp(*levels[to], level + to);
    return walk(level + 1, to);
}
static jmp_buf back;
static int compare(const void *key, const void *element) {
    if (*(const int *)element > 6) longjmp(back, *(const int *)element);
    return *(const int *)key - *(const int *)element;
}
static void tidy(int *n) { printf("tidy %d\n", *n); }
static void tidied(int n) {
    __attribute__((cleanup(tidy))) int own = n;
    if (own == 2) longjmp(back, own);
}
int main(void) {
    printf("%d\n", walk(0, 0));
    printf("%d\n", walk(0, 3));
    printf("%d\n", walk(2, 5));
    int numbers[] = {1, 4, 7}, key = 4, large = 9, value;
    printf("%ld\n", (long)((int *)bsearch(&key, numbers, 3, sizeof *numbers, compare) - numbers));
    if ((value = setjmp(back)) == 0) bsearch(&large, numbers, 3, sizeof *numbers, compare);
    printf("%d\n", value);
    if (setjmp(back) == 0) for (int n = 0; n < 4; n++) tidied(n);
    return 0;
}
