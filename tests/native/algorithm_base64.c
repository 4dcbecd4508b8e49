// Base64 encoding and decoding with all three padding cases.
// Decoding uses a table built at run time.
#include <stdio.h>
#include <string.h>
static const char abc[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static void encode(const unsigned char *in, int n, char *out) {
    for (; n > 0; in += n < 3 ? n : 3, n -= 3) {
        unsigned v = in[0] << 16 | (n > 1 ? in[1] << 8 : 0) | (n > 2 ? in[2] : 0);
        *out++ = abc[v >> 18];
        *out++ = abc[v >> 12 & 63];
        *out++ = n > 1 ? abc[v >> 6 & 63] : '=';
        *out++ = n > 2 ? abc[v & 63] : '=';
    }
    *out = 0;
}
static int decode(const char *in, unsigned char *out) {
    static signed char rev[256];
    memset(rev, -1, sizeof rev);
    for (int i = 0; i < 64; i++) rev[(unsigned char)abc[i]] = i;
    int bits = 0, n = 0;
    unsigned acc = 0;
    for (; *in && *in != '='; in++) {
        if (rev[(unsigned char)*in] < 0) return -1;
        acc = acc << 6 | rev[(unsigned char)*in];
        if ((bits += 6) >= 8) out[n++] = acc >> (bits -= 8);
    }
    return n;
}
int main(void) {
    const char *t[] = {"", "f", "fo", "foo", "foobar", "\xff\xfe\xfd"};
    for (int i = 0; i < 6; i++) {
        char e[16];
        unsigned char d[16];
        encode((const unsigned char *)t[i], strlen(t[i]), e);
        int n = decode(e, d);
        printf("%s %d %d\n", e, n, memcmp(d, t[i], n));
    }
    unsigned char d[4];
    printf("%d\n", decode("a*b", d));
    return 0;
}
