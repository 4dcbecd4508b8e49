// Block scopes: shadowed variables, tags, typedef names and parameters.
// A typedef name reused as a variable and as a member.
#include <stdio.h>
typedef int number;
struct tag { int a; };
static int x = 1;
static int f(int x) {
    int r = x;
    { int x = r + 1; r += x; { extern int y; r += y; } }
    for (int x = 0; x < 3; x++) r += x;
    return r;
}
int y = 50;
static int sizes(void) {
    struct tag { char a[3]; };
    int in = sizeof(struct tag);
    { struct tag { long a, b; }; in = in * 100 + sizeof(struct tag); }
    return in;
}
static int names(void) {
    number number = 4;
    struct { int number; int tag; } s = {.tag = 3};
    number += s.tag;
    { typedef char number; number c = 300; return c + sizeof(number) * 1000; }
}
int main(void) {
    printf("%d %d\n", x, f(10));
    int x = x = 5;
    printf("%d\n", x);
    { int x = 6; printf("%d ", x); { int x = 7; printf("%d ", x); } printf("%d\n", x); }
    printf("%d\n", sizes());
    printf("%zu\n", sizeof(struct tag));
    printf("%d\n", names());
    enum { A = 1 };
    { enum { A = 2 }; printf("%d ", A); }
    printf("%d\n", A);
    if (x == 5) { int x = 0; x++; } else x = 100;
    printf("%d\n", x);
    int sum = 0;
    for (int i = 0; i < 3; i++) { int once = i; once *= 2; sum += once; }
    printf("%d\n", sum);
    return 0;
}
