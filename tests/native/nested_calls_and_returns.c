// Early returns from nested control flow, void functions, unused results.
// Calls as arguments of calls, several levels deep.
#include <stdio.h>
static int depth;
static int level(int x) {
    depth++;
    if (x < 0) return -1;
    for (int i = 0;; i++) {
        while (1) {
            if (i * i > x) return i - 1;
            break;
        }
        switch (i) { case 10: return 10; default: continue; }
    }
}
static int add3(int a, int b, int c) { return a + 10 * b + 100 * c; }
static void twice(void (*f)(int), int x) { f(x); f(x + 1); }
static void say(int x) { if (x % 2) { printf("odd "); return; } printf("even "); }
static int last_of(const int *a) { do if (*a == 0) return -1; while (*++a); return a[-1]; }
int main(void) {
    printf("%d %d %d %d\n", level(-5), level(0), level(17), level(1000));
    printf("%d\n", depth);
    printf("%d\n", add3(add3(1, 2, 3), level(9), add3(0, level(4), 1)));
    twice(say, 4);
    putchar('\n');
    (void)level(3);
    level(3);
    printf("%d\n", depth);
    printf("%d %d\n", last_of((int[]){4, 5, 6, 0}), last_of((int[]){0}));
    return add3(1, 0, 0);
}
