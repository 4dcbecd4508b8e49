// A singly linked list on the heap: push, append, reverse, remove, merge, free.
// Uses pointer-to-pointer removal.
#include <stdio.h>
#include <stdlib.h>
struct node { int v; struct node *next; };
static struct node *push(struct node *l, int v) {
    struct node *n = malloc(sizeof *n);
    n->v = v;
    n->next = l;
    return n;
}
static void append(struct node **l, int v) { while (*l) l = &(*l)->next; *l = push(NULL, v); }
static struct node *reverse(struct node *l) {
    struct node *r = NULL;
    while (l) { struct node *n = l->next; l->next = r; r = l; l = n; }
    return r;
}
static int drop(struct node **l, int v) {
    int n = 0;
    while (*l) {
        if ((*l)->v == v) { struct node *d = *l; *l = d->next; free(d); n++; }
        else l = &(*l)->next;
    }
    return n;
}
static struct node *merge(struct node *a, struct node *b) {
    struct node head = {0}, *t = &head;
    while (a && b) {
        struct node **least = a->v <= b->v ? &a : &b;
        t = t->next = *least;
        *least = (*least)->next;
    }
    t->next = a ? a : b;
    return head.next;
}
static void show(const struct node *l) { for (; l; l = l->next) printf("%d ", l->v); putchar('\n'); }
int main(void) {
    struct node *a = NULL, *b = NULL;
    for (int i = 5; i > 0; i--) a = push(a, i * 2);
    for (int i = 0; i < 4; i++) append(&b, i * 3);
    show(a);
    show(b);
    a = merge(a, b);
    show(a);
    printf("%d\n", drop(&a, 6));
    a = reverse(a);
    show(a);
    int n = 0;
    while (a) { struct node *d = a; a = a->next; free(d); n++; }
    return n;
}
