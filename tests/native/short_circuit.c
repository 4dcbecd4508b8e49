// && and || evaluate left to right and stop early; their value is 0 or 1.
// A trace of the evaluated operands is printed for every combination.
#include <stdio.h>
static char trace[64];
static int at;
static int ev(char name, int value) { trace[at++] = name; return value; }
static void show(int r) { trace[at] = 0; printf("%d %s\n", r, trace); at = 0; }
int main(void) {
    for (int m = 0; m < 8; m++) {
        int a = m & 1, b = m & 2, c = m & 4;
        show(ev('a', a) && ev('b', b) && ev('c', c));
        show(ev('a', a) || ev('b', b) || ev('c', c));
        show(ev('a', a) && ev('b', b) || ev('c', c));
        show(ev('a', a) || ev('b', b) && ev('c', c));
        show(!(ev('a', a) && !ev('b', b)));
        show((ev('a', a) ? ev('b', b) : ev('c', c)) && ev('d', 7));
    }
    int *p = 0;
    printf("%d\n", p && *p == 3);
    int i = 0;
    if (i++ || i++) i += 10;
    printf("%d\n", i);
    printf("%d\n", 5 && 0.5);
    printf("%d\n", 0.0 || "x");
    return 0;
}
