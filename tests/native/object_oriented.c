// Objects with virtual tables: "inheritance" by first member and downcasts.
// Dispatch through pointers to const tables.
#include <stdio.h>
struct shape;
struct vtable { const char *name; int (*area)(const struct shape *); void (*scale)(struct shape *, int); };
struct shape { const struct vtable *vt; int id; };
struct rect { struct shape base; int w, h; };
struct square { struct rect base; char label; };
static int rect_area(const struct shape *s) { const struct rect *r = (const struct rect *)s; return r->w * r->h; }
static void rect_scale(struct shape *s, int k) { struct rect *r = (void *)s; r->w *= k; r->h *= k; }
static void square_scale(struct shape *s, int k) { rect_scale(s, k); ((struct square *)s)->label++; }
static const struct vtable rect_vt = {"rect", rect_area, rect_scale}, square_vt = {.name = "square", .scale = square_scale, .area = rect_area};
static int total(struct shape *const *v, int n) { int t = 0; while (n--) t += v[n]->vt->area(v[n]); return t; }
int main(void) {
    struct rect r = {{&rect_vt, 1}, 2, 3};
    struct square q = {{{&square_vt, 2}, 4, 4}, 'a'};
    struct shape *all[] = {&r.base, &q.base.base};
    printf("%d\n", total(all, 2));
    for (int i = 0; i < 2; i++) all[i]->vt->scale(all[i], i + 2);
    printf("%d\n", total(all, 2));
    for (int i = 0; i < 2; i++) printf("%s %d ", all[i]->vt->name, all[i]->vt->area(all[i]));
    printf("%c %d\n", q.label, (void *)&q == (void *)all[1]);
    return 0;
}
