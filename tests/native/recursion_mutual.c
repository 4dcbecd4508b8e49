// Mutual recursion: parity, Hofstadter sequences, and a recursive-descent matcher.
// Functions are declared before their definitions in block scope and file scope.
#include <stdio.h>
static int odd(unsigned n);
static int even(unsigned n) { return n == 0 ? 1 : odd(n - 1); }
static int odd(unsigned n) { return n == 0 ? 0 : even(n - 1); }
static int male(int n);
static int female(int n) { return n ? n - male(female(n - 1)) : 1; }
static int male(int n) { return n ? n - female(male(n - 1)) : 0; }
static const char *in;
static int list(void);
static int item(void) {
    if (*in == '(') { in++; int d = list(); if (*in == ')') in++; else return -100; return d + 1; }
    if (*in >= 'a' && *in <= 'z') { in++; return 0; }
    return -100;
}
static int list(void) {
    int most = 0;
    while (*in && *in != ')') { int d = item(); if (d < 0) return d; if (d > most) most = d; }
    return most;
}
static int nest(const char *s) { in = s; int d = list(); return *in ? -1 : d; }
int main(void) {
    printf("%d %d %d\n", even(10), odd(7), even(3));
    for (int i = 0; i < 8; i++) printf("%d%d ", female(i), male(i));
    putchar('\n');
    printf("%d %d %d %d\n", nest("abc"), nest("a(b(c)d)"), nest("((()))x"), nest("a)b"));
    return 0;
}
