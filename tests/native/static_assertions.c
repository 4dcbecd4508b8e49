// _Static_assert at file, block and struct scope over constant expressions.
// The constants themselves are printed too.
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#define N (3 * 7 - (1 << 2))
struct s { char c; int i; _Static_assert(sizeof(int) == 4, "int"); short z; };
_Static_assert(N == 17, "N");
_Static_assert(sizeof(struct s) == 12, "s");
_Static_assert(offsetof(struct s, z) == 8, "z");
_Static_assert(-1 < 0 && !(-1 < 0u), "signs");
_Static_assert((unsigned char)300 == 44, "cast");
_Static_assert(-7 / 2 == -3 && -7 % 2 == -1, "division");
_Static_assert((-8 >> 1) == -4, "shift");
_Static_assert((1 ? 2 : 1 / 0) == 2, "unevaluated");
_Static_assert('A' == 65 && sizeof 'A' == 4, "char");
_Static_assert(CHAR_MIN < 0 && INT_MAX + 1u == 2147483648u, "limits");
enum { Q = sizeof(long) * CHAR_BIT, R = Q > 32 ? Q - 1 : -1, S = ~0u >> 28, T = (int)2.9 };
static int arr[R] = {[T] = 5};
static const char buf[(N > 10) + 1] = "y";
int main(void) {
    _Static_assert(Q == 64);
    printf("%d %d %d %d %d\n", N, Q, R, S, T);
    printf("%zu %d %zu\n", sizeof arr / sizeof *arr, arr[2], sizeof buf);
    return S;
}
