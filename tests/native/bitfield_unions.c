// Bit-fields in unions and nested structs viewed through an integer.
// A register description as drivers write it.
#include <stdio.h>
union reg {
    unsigned raw;
    struct { unsigned enable : 1, mode : 3, : 4, count : 8, address : 16; };
    struct { unsigned char low, high; unsigned short top; } bytes;
    struct { signed first : 9; signed second : 23; } s;
};
static unsigned set_mode(union reg r, unsigned m) { r.mode = m; return r.raw; }
int main(void) {
    union reg r = {0};
    r.enable = 1;
    r.mode = 5;
    r.count = 0x1ab;
    r.address = 0xbeef;
    printf("%08x\n", r.raw);
    printf("%x %x %x\n", r.bytes.low, r.bytes.high, r.bytes.top);
    printf("%d %d\n", r.s.first, r.s.second);
    r.raw = 0xffffffff;
    r.mode = 0;
    printf("%08x %d %d\n", r.raw, r.s.first, r.s.second);
    printf("%08x\n", set_mode(r, 2));
    r.s.second = -3;
    printf("%x %x\n", r.address, r.count);
    union reg t[2] = {{0x12345678}, {.bytes = {1, 2, 3}}};
    printf("%x %x %x %x\n", t[0].count, t[0].address, t[1].raw, t[1].mode);
    t[1] = t[0];
    t[1].count++;
    printf("%x %d\n", t[1].raw, t[1].raw - t[0].raw);
    return r.enable;
}
