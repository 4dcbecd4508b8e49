// A ring buffer with power-of-two capacity and free-running unsigned char indices.
// The indices wrap around past 255.
#include <stdio.h>
#define CAP 8
struct ring { int data[CAP]; unsigned char head, tail; };
static int len(const struct ring *r) { return (unsigned char)(r->head - r->tail); }
static int put(struct ring *r, int v) { if (len(r) == CAP) return 0; r->data[r->head++ & (CAP - 1)] = v; return 1; }
static int get(struct ring *r, int *v) { if (r->head == r->tail) return 0; *v = r->data[r->tail++ & (CAP - 1)]; return 1; }
int main(void) {
    struct ring r = {{0}, 250, 250};
    int v, sum = 0, full = 0, empty = 0;
    for (int i = 0; i < 40; i++) {
        if (!put(&r, i)) full++;
        if (i % 3) { if (get(&r, &v)) sum = sum * 5 % 1009 + v; else empty++; }
    }
    printf("%d %d %d %d\n", sum, full, empty, len(&r));
    while (get(&r, &v)) printf("%d ", v);
    printf("\n%d %d\n", r.head, r.tail);
    return get(&r, &v);
}
