// typeof on expressions and types, __auto_type, and what qualifiers they keep.
// Types are observed through sizeof, signedness and _Generic.
#include <stdio.h>
#define NAME(x) _Generic((x), char: "char", signed char: "schar", unsigned char: "uchar", short: "short", int: "int", unsigned: "uint", long: "long", unsigned long: "ulong", float: "float", double: "double", int *: "int*", const int *: "cint*", char *: "char*", default: "other")
int main(void) {
    char c = 'x';
    short s = 2;
    typeof(c) d = 300;
    typeof(c + s) e = 300;
    __auto_type f = s * 2L;
    __auto_type g = 1.5f;
    __auto_type h = &e;
    typeof(int[3]) arr = {1, 2, 3};
    typeof(arr[0]) *p = arr;
    typeof(*p) q = p[2];
    __typeof__(&arr) whole = &arr;
    printf("%d %d %ld %.1f %d %d %zu\n", d, e, f, g, *h, q, sizeof *whole);
    printf("%s %s %s %s\n", NAME(d), NAME(e), NAME(f), NAME(g));
    printf("%s %s %s %s\n", NAME(h), NAME(p), NAME((const int *)p), NAME("str"));
    printf("%s %s %s %s\n", NAME(c + c), NAME(1u + 1), NAME(1u + 1L), NAME(1ul + 1));
    printf("%s %s %s\n", NAME('a'), NAME((char)1), NAME(s << 1L));
    printf("%s %s\n", NAME(1 ? 1 : 2u), NAME(g * 2));
    typeof(int (*)(int)) fp = 0;
    printf("%d %zu\n", fp == 0, sizeof fp);
    int n = 0;
    typeof(n++) m = 5;
    printf("%d %d\n", n, m);
    __auto_type r = c;
    r += 200;
    printf("%d\n", r == (char)('x' + 200));
    return 0;
}
