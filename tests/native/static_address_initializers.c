// Static initialisers with addresses: members of elements, arithmetic, differences.
// Pointers into arrays of structs, strings and between each other.
#include <stddef.h>
#include <stdio.h>
struct item { int id; struct { char c; short b[3]; } in; };
static struct item a[5] = {[3] = {.id = 30, .in = {'q', {1, 2, 3}}}};
static short *pb = &a[3].in.b[1];
static char *pc = &a[3].in.c;
static int *pid = &a[1 + 2].id;
static struct item *last = a + 4;
static struct item *back = &a[5] - 2;
static const char *str = "static text" + 7;
static const char *const names[] = {"zero", "one", &"xtwo"[1]};
static int **self = &pid;
static long off = offsetof(struct item, in.b[2]);
static void *vp = &a;
static struct node { int v; struct node *next; } n3 = {3}, n2 = {2, &n3}, n1 = {1, &n2};
static struct node *ring[3] = {&n1, &n2, &n3};
static long addr_as_int = (long)&a[0];
static int size_const = sizeof(a) / sizeof(a[0]) + (sizeof(int) == 4 ? 10 : 20);
int main(void) {
    printf("%d %c %d\n", *pb, *pc, *pid);
    printf("%td %td %d\n", last - a, back - a, back == &a[3]);
    printf("%s %s %s %s\n", str, names[0], names[1], names[2]);
    **self = 31;
    printf("%d %ld\n", a[3].id, off);
    printf("%d\n", ((struct item *)vp)[3].id);
    for (struct node *n = ring[0]; n; n = n->next) printf("%d ", n->v);
    putchar('\n');
    printf("%d %d\n", addr_as_int == (long)a, size_const);
    return pb[1];
}
