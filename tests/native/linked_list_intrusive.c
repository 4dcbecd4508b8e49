// Intrusive doubly linked list with container_of, as kernels use it.
// Offsets are subtracted from member pointers.
#include <stddef.h>
#include <stdio.h>
struct link { struct link *prev, *next; };
struct task { int id; const char *name; struct link by_age; struct link by_rank; int rank; };
#define container_of(p, T, m) ({ const typeof(((T *)0)->m) *_p = (p); (T *)((char *)_p - offsetof(T, m)); })
#define for_each(pos, head) for (struct link *pos = (head)->next; pos != (head); pos = pos->next)
static void init(struct link *l) { l->prev = l->next = l; }
static void insert(struct link *at, struct link *n) { n->prev = at->prev; n->next = at; at->prev->next = n; at->prev = n; }
static void unlink_it(struct link *n) { n->prev->next = n->next; n->next->prev = n->prev; init(n); }
static struct link age, rank;
static void add(struct task *t) {
    insert(&age, &t->by_age);
    struct link *p = rank.next;
    while (p != &rank && container_of(p, struct task, by_rank)->rank <= t->rank) p = p->next;
    insert(p, &t->by_rank);
}
static void show(void) {
    for_each(p, &age) printf("%s ", container_of(p, struct task, by_age)->name);
    printf("| ");
    for_each(p, &rank) printf("%d ", container_of(p, struct task, by_rank)->id);
    putchar('\n');
}
int main(void) {
    struct task t[4] = {{1, "one", .rank = 30}, {2, "two", .rank = 10}, {3, "three", .rank = 20}, {4, "four", .rank = 10}};
    init(&age);
    init(&rank);
    for (int i = 0; i < 4; i++) add(&t[i]);
    show();
    unlink_it(&t[1].by_age);
    unlink_it(&t[2].by_rank);
    show();
    insert(age.next, &t[1].by_age);
    show();
    return container_of(rank.next, struct task, by_rank)->id;
}
