// #pragma pack with push, pop and several values.
// Sizes and offsets of the same members under each packing.
#include <stddef.h>
#include <stdio.h>
#define MEMBERS { char c; int i; short s; double d; }
struct natural MEMBERS;
#pragma pack(push, 1)
struct one MEMBERS;
#pragma pack(2)
struct two MEMBERS;
#pragma pack(push)
#pragma pack(4)
struct four MEMBERS;
#pragma pack(pop)
struct again MEMBERS;
#pragma pack(pop)
struct after MEMBERS;
#define S(t) printf(#t " %zu %zu %zu %zu %zu\n", sizeof(struct t), _Alignof(struct t), offsetof(struct t, i), offsetof(struct t, s), offsetof(struct t, d))
int main(void) {
    S(natural); S(one); S(two); S(four); S(again); S(after);
    struct one v = {1, 2, 3, 4.5};
    v.i += v.s;
    printf("%d %d %d %.1f\n", v.c, v.i, v.s, v.d);
    return 0;
}
