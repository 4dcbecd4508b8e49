// Assignment of whole structs copies nested members and arrays.
// Later changes to the source must not show in the copy.
#include <stdio.h>
struct point { int x, y; };
struct line { struct point from, to; char name[6]; };
struct shape { struct line edges[2]; struct point *origin; int n; };
static void show(const struct shape *s) {
    for (int i = 0; i < s->n; i++)
        printf("%s (%d,%d)-(%d,%d) ", s->edges[i].name, s->edges[i].from.x, s->edges[i].from.y, s->edges[i].to.x, s->edges[i].to.y);
    printf("@%d,%d\n", s->origin->x, s->origin->y);
}
int main(void) {
    struct point o = {9, 8};
    struct shape a = {{{{1, 2}, {3, 4}, "ab"}, {{5, 6}, {7, 8}, "cdefg"}}, &o, 2};
    struct shape b = a;
    a.edges[0].from.x = 100;
    a.edges[1].name[0] = 'Z';
    o.x = 77;
    show(&a);
    show(&b);
    b.edges[0] = b.edges[1];
    b.edges[1].to = *b.origin;
    show(&b);
    struct shape c, *p = &c;
    *p = b;
    p->edges[0].to.y++;
    (*p).n = 1;
    show(&c);
    struct point q = (a = c).edges[0].to;
    printf("%d %d %d\n", q.x, q.y, a.n);
    return 0;
}
