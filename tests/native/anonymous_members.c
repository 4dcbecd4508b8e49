// Anonymous structs and unions inside structs, addressed without their name.
// Layout and sharing of storage are printed.
#include <stddef.h>
#include <stdio.h>
struct value {
    int kind;
    union {
        int i;
        float f;
        struct { short lo, hi; };
        struct { unsigned char b0, b1; union { unsigned char b2; signed char sb2; }; unsigned char b3; };
    };
    struct { char tag; long extra; };
};
int main(void) {
    struct value v = {.kind = 1, .i = 0x11223344, .tag = 'x', .extra = -5};
    printf("%zu %zu %zu %zu\n", sizeof v, offsetof(struct value, i), offsetof(struct value, hi), offsetof(struct value, extra));
    printf("%x %x\n", v.lo, v.hi);
    printf("%x %x %x %x\n", v.b0, v.b1, v.b2, v.b3);
    v.b2 = 0xff;
    printf("%x %d\n", v.i, v.sb2);
    v.hi = -1;
    printf("%x\n", v.i);
    v.f = 1.0f;
    printf("%x %x\n", v.hi, v.lo);
    printf("%c %ld\n", v.tag, v.extra);
    struct value *p = &v;
    p->lo = 7;
    printf("%x\n", p->i);
    struct value w = {2, {.lo = 3, .hi = 4}, {'y', 9}};
    printf("%d %x %c %ld\n", w.kind, w.i, w.tag, w.extra);
    return 0;
}
