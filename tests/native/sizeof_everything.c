// sizeof of types and expressions: unevaluated operands, decay rules, parameters.
// Also _Alignof of every basic type.
#include <stddef.h>
#include <stdio.h>
static int calls;
static int f(void) { calls++; return 1; }
static unsigned long param(char a[100], int (*b)[7], int c(void)) { return sizeof a * 10000 + sizeof *b * 100 + sizeof c; }
struct s { int x; char y; };
union u { double d; char c[11]; };
enum e { A, B };
typedef struct s pair[2];
#define T(t) printf("%s %zu %zu\n", #t, sizeof(t), _Alignof(t))
int main(void) {
    T(char); T(signed char); T(unsigned char); T(short); T(unsigned short); T(int); T(unsigned); T(long);
    T(unsigned long); T(long long); T(float); T(double); T(long double); T(_Bool); T(void *); T(int (*)(void));
    T(__int128); T(enum e); T(struct s); T(union u); T(pair); T(int[3][5]); T(char *[4]); T(wchar_t);
    int i = 0;
    char arr[10];
    printf("%zu %zu %d\n", sizeof(i++), sizeof f(), i + calls);
    printf("%zu %zu %zu %zu\n", sizeof arr, sizeof(arr + 0), sizeof &arr, sizeof *&arr);
    printf("%zu %zu %zu\n", sizeof "hello", sizeof *"hello", sizeof("hello" + 0));
    printf("%lu\n", param(0, 0, 0));
    printf("%zu %zu\n", sizeof(char) + 1, sizeof(char)+1);
    printf("%zu %zu\n", sizeof((char)i), sizeof(i, arr[0]));
    printf("%zu %zu\n", sizeof(struct { char c; short s; }), sizeof(((struct s *)0)->y));
    printf("%zu %zu\n", sizeof(void), sizeof(f));
    printf("%d\n", sizeof(int) - 5 > 0);
    printf("%d\n", -1 < (int)sizeof(int));
    return sizeof(pair);
}
