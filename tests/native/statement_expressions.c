// GNU statement expressions: value of the last expression, nesting, control flow inside.
// Used in macros that evaluate their arguments once.
#include <stdio.h>
#define MAX(a, b) ({ typeof(a) _a = (a); typeof(b) _b = (b); _a > _b ? _a : _b; })
#define SWAP(a, b) do { typeof(a) _t = (a); (a) = (b); (b) = _t; } while (0)
static int n;
static int next(void) { return ++n; }
struct p { int x, y; };
static int early(int v) { int r = ({ if (v < 0) return -1; v * 2; }); return r + 1; }
int main(void) {
    int a = MAX(next(), 0);
    printf("%d %d\n", a, n);
    printf("%d\n", MAX(MAX(3, 9), MAX(4, 5)));
    int s = ({ int t = 0; for (int i = 0; i < 5; i++) t += i; t; });
    printf("%d\n", s);
    struct p q = ({ struct p r = {1, 2}; r.y++; r; });
    printf("%d %d\n", q.x, q.y);
    printf("%d %d\n", early(5), early(-5));
    int x = 3, y = 4;
    SWAP(x, y);
    printf("%d %d\n", x, y);
    for (int i = 0; i < 5; i++) {
        int v = ({ if (i == 1) continue; if (i == 4) break; i * i; });
        printf("%d ", v);
    }
    putchar('\n');
    int z = ({ 1; 2; ({ 3; }) + ({ int k = 4; k; }); });
    printf("%d\n", z);
    ({ z++; });
    int w = ({ z > 5 ? ({ z += 10; z; }) : 0; });
    printf("%d\n", w);
    int sw = ({ int r; switch (w) { case 18: r = 1; break; default: r = 2; } r; });
    return sw;
}
