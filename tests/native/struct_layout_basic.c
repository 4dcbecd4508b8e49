// Layout of structs: sizes, alignment and offsets of every member.
// Padding inside, at the end, and none at all.
#include <stddef.h>
#include <stdio.h>
struct a { char c; int i; char d; };
struct b { char c; char d; int i; };
struct c { short s; double d; char e[3]; };
struct d { char c; struct a in; char e; };
struct e { long long l; char c; };
struct f { char a[5]; short s[2]; };
struct g { void *p; char c; void (*fn)(void); };
struct h { char c; __int128 w; };
struct i { char c; long double ld; };
struct j { float f; _Bool b; unsigned char u; short s; };
#define S(t) printf(#t " %zu %zu\n", sizeof(struct t), _Alignof(struct t))
#define O(t, m) printf(" " #m " %zu\n", offsetof(struct t, m))
int main(void) {
    S(a); O(a, c); O(a, i); O(a, d);
    S(b); O(b, d); O(b, i);
    S(c); O(c, s); O(c, d); O(c, e); O(c, e[2]);
    S(d); O(d, in); O(d, in.i); O(d, e);
    S(e); O(e, c);
    S(f); O(f, s); O(f, s[1]);
    S(g); O(g, c); O(g, fn);
    S(h); O(h, w);
    S(i); O(i, ld);
    S(j); O(j, b); O(j, u); O(j, s);
    struct a arr[3];
    printf("%zu %td\n", sizeof arr, (char *)&arr[2].i - (char *)arr);
    return 0;
}
