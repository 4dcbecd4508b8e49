// A recursive-descent evaluator of arithmetic expressions with precedence and errors.
// Errors are reported through a flag, not through exceptions.
#include <ctype.h>
#include <stdio.h>
static const char *p;
static int error;
static long expr(void);
static void blanks(void) { while (isspace((unsigned char)*p)) p++; }
static long atom(void) {
    blanks();
    if (*p == '(') { p++; long v = expr(); blanks(); if (*p == ')') p++; else error = 1; return v; }
    if (*p == '-') { p++; return -atom(); }
    if (!isdigit((unsigned char)*p)) { error = 2; return 0; }
    long v = 0;
    while (isdigit((unsigned char)*p)) v = v * 10 + (*p++ - '0');
    return v;
}
static long term(void) {
    long v = atom();
    for (;;) {
        blanks();
        char op = *p;
        if (op != '*' && op != '/' && op != '%') return v;
        p++;
        long r = atom();
        if (op == '*') v *= r;
        else if (r == 0) { error = 3; return 0; }
        else if (op == '/') v /= r;
        else v %= r;
    }
}
static long expr(void) {
    long v = term();
    for (blanks(); *p == '+' || *p == '-'; blanks()) { char op = *p++; long r = term(); v = op == '+' ? v + r : v - r; }
    return v;
}
int main(void) {
    const char *t[] = {"1+2*3", "(1+2)*3", " 10 - 4 - 3 ", "2*(3+4)*5", "-3*-(2+1)", "100/7%5", "1/0", "(1+2", "*3", "7 7"};
    for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
        p = t[i];
        error = 0;
        long v = expr();
        if (!error && *p) error = 4;
        printf("%s = %ld e%d\n", t[i], error ? 0 : v, error);
    }
    return 0;
}
