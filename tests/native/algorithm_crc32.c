// CRC-32 bit by bit and with a nibble table; Adler-32 and Fletcher-16.
// The check value of "123456789" is well known.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static uint32_t crc_bits(const char *s, size_t n) {
    uint32_t c = ~0u;
    while (n--) { c ^= (uint8_t)*s++; for (int k = 0; k < 8; k++) c = c >> 1 ^ (0xedb88320u & -(c & 1)); }
    return ~c;
}
static uint32_t table[16];
static uint32_t crc_table(const char *s, size_t n) {
    uint32_t c = 0xffffffff;
    for (; n; n--, s++) { c = table[(c ^ *s) & 15] ^ c >> 4; c = table[(c ^ (uint8_t)*s >> 4) & 15] ^ c >> 4; }
    return c ^ 0xffffffff;
}
static uint32_t adler(const char *s) { uint32_t a = 1, b = 0; for (; *s; s++) { a = (a + (uint8_t)*s) % 65521; b = (b + a) % 65521; } return b << 16 | a; }
static uint16_t fletcher(const char *s) { uint16_t a = 0, b = 0; for (; *s; s++) { a = (a + (uint8_t)*s) % 255; b = (b + a) % 255; } return b << 8 | a; }
int main(void) {
    for (uint32_t i = 0; i < 16; i++) { uint32_t c = i; for (int k = 0; k < 4; k++) c = c & 1 ? c >> 1 ^ 0xedb88320u : c >> 1; table[i] = c; }
    const char *v[] = {"", "a", "123456789", "\xff\x80 mixed"};
    for (int i = 0; i < 4; i++) {
        size_t n = strlen(v[i]);
        printf("%08x %08x %08x %04x\n", crc_bits(v[i], n), crc_table(v[i], n), adler(v[i]), fletcher(v[i]));
    }
    return 0;
}
