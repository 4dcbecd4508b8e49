// Static locals keep their value across calls and recursion; each scope has its own.
// Arrays and pointers to them escape the function.
#include <stdio.h>
static int counter(void) { static int n = 10; return n++; }
static int two(int which) {
    if (which) { static int n = 100; return ++n; }
    static int n;
    return ++n;
}
static int *cell(int i) { static int cells[4] = {1, 2, 3}; return &cells[i]; }
static int depth(int d) { static int most; if (d > most) most = d; if (d < 5) depth(d + 2); return most; }
static const char *name(int i) { static const char *const names[] = {"a", "b", "c"}; return names[i]; }
static char *format(int v) { static char buf[8]; sprintf(buf, "<%d>", v); return buf; }
static int once(void) { static int ready; if (!ready) { ready = 1; printf("init "); } return ready; }
int main(void) {
    int a = counter();
    int b = counter();
    printf("%d %d\n", a, b);
    for (int i = 0; i < 4; i++) printf("%d ", two(i % 2));
    putchar('\n');
    *cell(3) = 9;
    ++*cell(0);
    printf("%d %d %d\n", *cell(0), *cell(3), cell(3) - cell(0) == 3);
    printf("%d\n", depth(0));
    printf("%s%s\n", name(2), name(0));
    char *p = format(1);
    format(23);
    printf("%s\n", p);
    once();
    once();
    printf("%d\n", once());
    for (int i = 0; i < 3; i++) { static int k = 7; k *= 2; printf("%d ", k); }
    putchar('\n');
    return counter();
}
