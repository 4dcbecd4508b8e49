// Static tables of function pointers, dispatch by index and by name.
// Struct of callbacks with a context pointer.
#include <stdio.h>
#include <string.h>
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
typedef int binary(int, int);
static const struct { const char *name; binary *fn; int neutral; } ops[] = {{"add", add, 0}, {"sub", &sub, 0}, {"mul", mul, 1}};
struct stream { int (*next)(void *); void *state; };
static int count_up(void *s) { return (*(int *)s)++; }
static int fib_next(void *s) { int *f = s; int r = f[0]; f[0] = f[1]; f[1] += r; return r; }
static int take(struct stream st, int n) { int t = 0; while (n--) t = t * 3 + st.next(st.state); return t; }
static binary *find(const char *n) {
    for (unsigned i = 0; i < sizeof ops / sizeof *ops; i++)
        if (!strcmp(ops[i].name, n)) return ops[i].fn;
    return 0;
}
int main(void) {
    for (int i = 0; i < 3; i++) printf("%s %d %d\n", ops[i].name, ops[i].fn(6, 4), ops[i].neutral);
    printf("%d %d\n", find("mul")(7, 8), find("div") == 0);
    int c = 5, f[2] = {0, 1};
    struct stream s[2] = {{count_up, &c}, {.state = f, .next = fib_next}};
    printf("%d %d\n", take(s[0], 4), take(s[1], 8));
    printf("%d %d\n", c, f[0]);
    return 0;
}
