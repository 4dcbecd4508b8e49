// GNU attributes and __extension__ in every position gcc accepts.
// They must not change the values that are printed.
#include <stdio.h>
#define U __attribute__((unused))
__attribute__((noinline)) static int f1(int a U, int b __attribute__((__unused__))) { return a - b; }
static int __attribute__((const, warn_unused_result)) f2(int x) { return x * x; }
static int f3(const char *, ...) __attribute__((format(printf, 1, 2), nonnull(1)));
static int f3(const char *fmt, ...) { return fmt[0]; }
__attribute__((always_inline)) static inline int f4(void) { return 4; }
static int g1 __attribute__((aligned(16))) = 1, g2 U = 2;
struct __attribute__((aligned(8))) s1 { int a __attribute__((aligned(4))); char b U; };
typedef int __attribute__((may_alias)) my_int;
typedef unsigned __attribute__((mode(DI))) u_di;
enum __attribute__((unused)) e { E_A __attribute__((unused)) = 3, E_B };
extern int __attribute__((pure)) f5(int);
int f5(int x) { return x + g1; }
static void __attribute__((cold)) init(void) { g2 = 20; }
static int (*__attribute__((unused)) fp)(int, int) = f1;
__extension__ typedef struct { long long q; } ext_t;
int main(int argc U, char **argv U) {
    int x __attribute__((unused)) = __extension__ 5;
    int *U p = &x;
    __extension__ ext_t e = {1};
    printf("%d %d %d %d\n", f1(5, 3), f2(6), f3("A%d", 1), f4());
    printf("%d %d %d\n", g1, g2, f5(1));
    printf("%zu %zu %zu\n", sizeof(struct s1), _Alignof(struct s1), sizeof(u_di));
    printf("%d %lld %d %d\n", *p, e.q, E_B, fp(9, 1));
    switch (x) {
    case 5: x++; __attribute__((fallthrough));
    case 6: x++;
    out: __attribute__((unused));
    }
    for (int i __attribute__((unused)) = 0; i < 2; i++) x += (my_int)i;
    printf("%d\n", x);
    init();
    printf("%d\n", g2);
    return 0;
}
