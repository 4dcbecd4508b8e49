// A growable string buffer with formatted append, built on realloc and vsnprintf.
// The buffer is grown when the formatted text does not fit.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct sb { char *s; size_t n, cap; };
static void append(struct sb *b, const char *fmt, ...) {
    for (;;) {
        va_list ap;
        va_start(ap, fmt);
        int need = vsnprintf(b->s + b->n, b->cap - b->n, fmt, ap);
        va_end(ap);
        if (b->n + need < b->cap) { b->n += need; return; }
        b->cap = b->cap * 2 + 8;
        b->s = realloc(b->s, b->cap);
    }
}
int main(void) {
    struct sb b = {malloc(4), 0, 4};
    b.s[0] = 0;
    append(&b, "%s", "");
    append(&b, "%d,", 12345);
    for (int i = 0; i < 5; i++) append(&b, "[%c%02x]", 'a' + i, i * 17);
    append(&b, "%s", "end");
    printf("%s %zu %zu\n", b.s, b.n, b.cap);
    printf("%d\n", strlen(b.s) == b.n);
    free(b.s);
    return 0;
}
