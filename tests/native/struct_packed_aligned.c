// packed and aligned attributes on types and members, and _Alignas.
// Prints every size, alignment and offset.
#include <stddef.h>
#include <stdio.h>
struct p1 { char c; int i; short s; } __attribute__((packed));
struct __attribute__((packed)) p2 { char c; struct { int x; char y; } in; double d; };
struct p3 { char c; int i __attribute__((packed)); long l; };
struct __attribute__((packed, aligned(4))) p4 { char c; long l; char d; };
struct a1 { char c; int i __attribute__((aligned(16))); };
struct a2 { char c; } __attribute__((aligned(8)));
struct a3 { _Alignas(8) char c; _Alignas(double) short s; char e; };
typedef int aligned_int __attribute__((aligned(32)));
struct a4 { char c; aligned_int i; };
struct a5 { char c; struct a2 in; char d; };
union u1 { char c[3]; int i; } __attribute__((packed));
union u2 { char c[3]; short s; } __attribute__((aligned(16)));
#define S(t) printf(#t " %zu %zu\n", sizeof(t), _Alignof(t))
#define O(t, m) printf(" " #m " %zu\n", offsetof(t, m))
int main(void) {
    S(struct p1); O(struct p1, i); O(struct p1, s);
    S(struct p2); O(struct p2, in); O(struct p2, in.y); O(struct p2, d);
    S(struct p3); O(struct p3, i); O(struct p3, l);
    S(struct p4); O(struct p4, l); O(struct p4, d);
    S(struct a1); O(struct a1, i);
    S(struct a2);
    S(struct a3); O(struct a3, s); O(struct a3, e);
    S(struct a4); O(struct a4, i);
    S(struct a5); O(struct a5, in); O(struct a5, d);
    S(union u1); S(union u2);
    struct p1 v = {1, 0x12345678, -2};
    struct p1 w = v;
    w.i++;
    printf("%d %x %d\n", w.c, w.i, w.s);
    _Alignas(64) char buf[10];
    printf("%zu %d\n", sizeof buf, (int)((unsigned long)buf % 64));
    return 0;
}
