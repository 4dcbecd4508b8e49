// Flexible array members: sizeof excludes them, malloc supplies the room.
// Used as a length-prefixed string and as a small vector.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct text { unsigned char len; char data[]; };
struct vec { int n; short tag; double items[]; };
static struct text *make(const char *s) {
    size_t n = strlen(s);
    struct text *t = malloc(sizeof *t + n + 1);
    t->len = n;
    memcpy(t->data, s, n + 1);
    return t;
}
int main(void) {
    printf("%zu %zu\n", sizeof(struct text), offsetof(struct text, data));
    printf("%zu %zu\n", sizeof(struct vec), offsetof(struct vec, items));
    struct text *a = make("hello"), *b = make("");
    printf("%d %s|%d %s|\n", a->len, a->data, b->len, b->data);
    struct vec *v = malloc(sizeof *v + 4 * sizeof(double));
    v->n = 4;
    v->tag = 3;
    for (int i = 0; i < v->n; i++) v->items[i] = i * 1.5;
    double sum = 0;
    for (double *p = v->items; p < v->items + v->n; p++) sum += *p;
    printf("%.1f\n", sum);
    struct vec head = *v;
    printf("%d %d\n", head.n, head.tag);
    free(a);
    free(b);
    free(v);
    return 0;
}
