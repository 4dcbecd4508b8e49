// switch: fallthrough, default in the middle, negative cases, ranges, nested switches.
// Every selector from -3 to 12 is tried.
#include <stdio.h>
static int classify(int x) {
    int r = 0;
    switch (x) {
    case -2: r += 1;
    case -1: r += 10; break;
    default: r += 100;
    case 0: r += 1000; break;
    case 1 ... 3: r += 2;
    case 5: case 6: r += 20; break;
    case 7: {
        switch (r) { case 0: r = 7; break; default: r = 70; }
        r++;
        break;
    }
    case 8: if (r == 0) { case 9: r += 5; } else { case 10: r += 6; }
    }
    return r;
}
static const char *wide(long x) {
    switch (x) {
    case 1L << 40: return "2^40";
    case -1: return "minus";
    case 0x7fffffffffffffffL: return "max";
    case 0xffffffffL: return "umax";
    }
    return "other";
}
static int narrow(unsigned char c) { switch (c) { case 255: return 1; case 'a' ... 'z': return 2; case 0: return 3; } return 4; }
int main(void) {
    for (int i = -3; i <= 12; i++) printf("%d ", classify(i));
    putchar('\n');
    printf("%s %s %s %s %s\n", wide(1L << 40), wide(-1), wide(0x7fffffffffffffffL), wide(0xffffffffu), wide(0));
    printf("%d %d %d %d\n", narrow(-1), narrow('q'), narrow(256), narrow('A'));
    int n = 0;
    switch (3) { n = 100; case 3: n++; }
    switch (4) n = 50;
    switch (5) case 5: n += 2;
    switch (6) default: n += 4;
    printf("%d\n", n);
    switch (n) { int local; case 7: local = n; n = local * 2; }
    printf("%d\n", n);
    return n;
}
