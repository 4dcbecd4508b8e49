// A binary heap of structs ordered by a comparator given as function pointer.
// The same heap code serves min and max order.
#include <stdio.h>
struct item { int prio; char name; };
typedef int less_fn(const struct item *, const struct item *);
struct heap { struct item a[16]; int n; less_fn *less; };
static int min_first(const struct item *x, const struct item *y) { return x->prio < y->prio; }
static int max_first(const struct item *x, const struct item *y) { return min_first(y, x); }
static void swap(struct item *x, struct item *y) { struct item t = *x; *x = *y; *y = t; }
static void push(struct heap *h, struct item v) {
    int i = h->n++;
    h->a[i] = v;
    for (; i && h->less(&h->a[i], &h->a[(i - 1) / 2]); i = (i - 1) / 2) swap(&h->a[i], &h->a[(i - 1) / 2]);
}
static struct item pop(struct heap *h) {
    struct item top = h->a[0];
    h->a[0] = h->a[--h->n];
    for (int i = 0;;) {
        int c = 2 * i + 1;
        if (c >= h->n) break;
        if (c + 1 < h->n && h->less(&h->a[c + 1], &h->a[c])) c++;
        if (!h->less(&h->a[c], &h->a[i])) break;
        swap(&h->a[c], &h->a[i]);
        i = c;
    }
    return top;
}
int main(void) {
    struct heap lo = {.less = min_first}, hi = {.less = max_first};
    const int p[] = {5, 2, 9, 1, 7, 3, 8};
    for (int i = 0; i < 7; i++) { push(&lo, (struct item){p[i], 'a' + i}); push(&hi, (struct item){p[i], 'A' + i}); }
    while (lo.n) { struct item x = pop(&lo), y = pop(&hi); printf("%d%c %d%c ", x.prio, x.name, y.prio, y.name); }
    putchar('\n');
    return 0;
}
