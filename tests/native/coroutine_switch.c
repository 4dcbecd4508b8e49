// Coroutines by switch on a saved state, as protothreads do with __LINE__.
// Two generators are interleaved.
#include <stdio.h>
struct co { int line, i, j; };
#define BEGIN(c) switch ((c)->line) { case 0:
#define YIELD(c, v) do { (c)->line = __LINE__; return (v); case __LINE__:; } while (0)
#define END(c) } (c)->line = -1; return -1
static int pairs(struct co *c) {
    BEGIN(c);
    for (c->i = 1; c->i <= 3; c->i++)
        for (c->j = 0; c->j < c->i; c->j++)
            YIELD(c, c->i * 10 + c->j);
    END(c);
}
static int evens(struct co *c) {
    BEGIN(c);
    while (c->i < 10) {
        c->i += 2;
        YIELD(c, c->i);
        if (c->i == 6) YIELD(c, 666);
    }
    END(c);
}
int main(void) {
    struct co a = {0}, b = {0};
    for (int k = 0; k < 8; k++) { printf("%d ", pairs(&a)); printf("%d ", evens(&b)); }
    printf("\n%d %d\n", a.line, b.line);
    return 0;
}
