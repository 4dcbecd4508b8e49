// Structs passed and returned by value: small, large, nested, with arrays.
// The callee's changes must not show in the caller.
#include <stdio.h>
struct small { char a; short b; };
struct fl { float x; double y; };
struct large { long v[8]; struct small s; };
static struct small flip(struct small s) { char t = s.a; s.a = s.b; s.b = t; return s; }
static struct fl scale(struct fl f, float k) { f.x *= k; f.y *= k; return f; }
static struct large rotate(struct large l, int n) {
    struct large r = l;
    for (int i = 0; i < 8; i++) r.v[(i + n) % 8] = l.v[i];
    r.s = flip(l.s);
    l.v[0] = 999;
    return r;
}
static long total(struct large l) { long t = 0; for (int i = 0; i < 8; i++) t = t * 3 + l.v[i]; return t + l.s.a; }
static struct large make(int seed) { return (struct large){{seed, seed + 1, seed * 2}, {1, 2}}; }
int main(void) {
    struct small s = {3, 300};
    struct small t = flip(s);
    printf("%d %d %d %d\n", s.a, s.b, t.a, t.b);
    struct fl f = scale((struct fl){1.5f, 2.5}, 2);
    printf("%.2f %.2f\n", f.x, f.y);
    struct large l = {{1, 2, 3, 4, 5, 6, 7, 8}, {10, 20}};
    struct large r = rotate(l, 3);
    printf("%ld %ld %ld %d\n", l.v[0], r.v[0], r.v[3], r.s.a);
    printf("%ld %ld\n", total(l), total(rotate(rotate(l, 1), 7)));
    printf("%ld %d\n", make(4).v[2], flip(flip(s)).b);
    struct large (*fn)(struct large, int) = rotate;
    printf("%ld\n", fn(make(2), 1).v[1]);
    l = rotate(l, 2);
    printf("%ld\n", l.v[0]);
    struct { struct small in[2]; } arr = {{{1, 2}, {3, 4}}};
    arr.in[0] = flip(arr.in[1]);
    printf("%d %d\n", arr.in[0].a, arr.in[0].b);
    return 0;
}
