// _Generic: association by type after lvalue conversion, default, unevaluated control.
// Type-directed macros that call different functions.
#include <stdio.h>
static int of_int(int x) { return x + 1; }
static int of_long(long x) { return x + 2; }
static int of_double(double x) { return x + 3; }
static int of_str(const char *s) { return s[0]; }
#define F(x) _Generic((x), int: of_int, long: of_long, double: of_double, char *: of_str, const char *: of_str)(x)
struct s { int a; };
typedef unsigned char byte;
enum e { E1 };
int main(void) {
    const int ci = 10;
    volatile long vl = 20;
    printf("%d %d %d %d\n", F(ci), F(vl), F(1.5), F("A"));
    int n = 0;
    printf("%d %d\n", _Generic(n++, int: 1, default: 2), n);
    printf("%d\n", _Generic((byte)1, unsigned char: 1, char: 2, default: 3));
    printf("%d\n", _Generic((struct s){0}, struct s: 1, default: 2));
    printf("%d\n", _Generic(E1, int: 1, unsigned: 2, default: 3));
    printf("%d\n", _Generic(&n, void *: 1, int *: 2, default: 3));
    printf("%d\n", _Generic(of_int, int (*)(int): 1, default: 2));
    int arr[3];
    printf("%d\n", _Generic(arr, int *: 1, default: 2));
    printf("%d\n", _Generic(&arr, int (*)[3]: 1, int (*)[4]: 2, default: 3));
    printf("%d\n", _Generic(1 == 1, int: 1, _Bool: 2, default: 3));
    printf("%d\n", _Generic((_Bool)1, int: 1, _Bool: 2, default: 3));
    printf("%s\n", _Generic(1LL, long: "long", long long: "long long"));
    return 0;
}
