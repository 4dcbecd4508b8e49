// Enumerations: implicit, explicit, negative and repeated values.
// Enum constants are int; an enum object's underlying type shows in comparisons.
#include <stdio.h>
enum color { RED, GREEN = 5, BLUE, ALIAS = GREEN, LAST = BLUE + 10 };
enum sign { NEG = -1, ZERO, POS };
enum big { HUGE_VALUE = 0x7fffffff };
enum wide { WIDE = 0x100000000ll, NARROW = 1 };
enum { ANON_A = 3, ANON_B };
typedef enum { X1 = 1, X2 = X1 << 1, X3 = X2 << 1 } bits;
static const char *name(enum color c) {
    switch (c) {
    case RED: return "red";
    case GREEN: return "green";
    case BLUE: return "blue";
    default: return "?";
    }
}
int main(void) {
    printf("%d %d %d %d %d\n", RED, GREEN, BLUE, ALIAS, LAST);
    printf("%d %d %d\n", NEG, ZERO, POS);
    printf("%zu %zu %zu %zu\n", sizeof(enum color), sizeof(enum sign), sizeof(enum wide), sizeof(RED));
    enum color c = BLUE;
    enum sign s = NEG;
    printf("%s %s\n", name(c), name(17));
    printf("%d %d\n", (enum color)-1 < 0, s < 0);
    bits b = X1 | X3;
    printf("%d %d\n", b, ANON_A + ANON_B);
    c++;
    printf("%d %s\n", c, name(c));
    printf("%lld\n", (long long)WIDE);
    int table[LAST] = {[GREEN] = 7};
    printf("%zu %d\n", sizeof table / sizeof *table, table[ALIAS]);
    enum local { RED = 50 };
    printf("%d %d\n", RED, HUGE_VALUE);
    return 0;
}
