// Precedence and associativity of all binary and unary operators.
// Each expression would change its value if grouped otherwise.
#include <stdio.h>
int main(void) {
    int a = 7, b = 3, c = 2;
    printf("%d %d %d\n", a - b - c, a / b / c, a % b * c);
    printf("%d %d\n", a + b * c, (a + b) * c);
    printf("%d %d\n", a << b + c, a << b >> c);
    printf("%d %d\n", a & b == b, (a & b) == b);
    printf("%d %d\n", a | b ^ c & a, a ^ b | c);
    printf("%d %d\n", a < b < c, a > b > c);
    printf("%d %d\n", !a == b, !(a == b));
    printf("%d %d\n", -a % b, -(a % b));
    printf("%d %d\n", ~a + 1, ~(a + 1));
    printf("%d\n", a == 7 || b == 0 && c == 0);
    printf("%d\n", a ? b ? 1 : 2 : 3);
    printf("%d\n", 0 ? 1 : 0 ? 2 : 3);
    int x = 5, y;
    y = x == 5 ? x : 9;
    printf("%d\n", y);
    int arr[2] = {10, 20}, *p = arr;
    printf("%d ", *p + 1);
    printf("%d ", *(p + 1));
    printf("%d ", -*p);
    printf("%d ", *&*p);
    printf("%d\n", !*p);
    struct { int v; int *q; } s = {1, arr}, *ps = &s;
    printf("%d %d %d\n", *ps->q, ps->q[1], (*ps).v);
    printf("%d\n", ++ps->v);
    printf("%d\n", *s.q++ + 1);
    printf("%d\n", sizeof(int) * 2 == 8);
    printf("%d %d\n", (char)300 + 1, (char)(300 + 1));
    printf("%d\n", 1 - -1 - - - 1);
    printf("%d\n", a+++b);
    return a;
}
