// _Thread_local and __thread variables used by one thread only.
// Initial values, static locals, addresses.
#include <stdio.h>
static _Thread_local int a = 3;
__thread long b;
_Thread_local struct { int x; char s[4]; } c = {7, "abc"};
static int bump(void) { static _Thread_local int n = 40; return n++; }
static int *where(void) { return &a; }
int main(void) {
    printf("%d %ld %d %s\n", a, b, c.x, c.s);
    *where() += 4;
    b -= 2;
    c.s[0] = 'X';
    bump();
    printf("%d %ld %s %d\n", a, b, c.s, bump());
    printf("%d\n", where() == &a);
    return a;
}
