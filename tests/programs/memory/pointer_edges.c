// selvedge: assertion=safe memory=safe
// Pointers that may be formed: up to one past the end; and what every compiler lets programs do with bytes and numbers.
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct item { int value; struct node { struct node *next; } node; };
#define container_of(pointer, type, member) ((type *)((char *)(pointer) - offsetof(type, member)))
#define OFFSET(type, member) ((size_t)((char *)&((type *)0)->member - (char *)0))

int a[4], grid[3][4];
struct node head = {&head};

int main(void) {
    int sum = 0;
    for (int *p = a; p != a + 4; p++)
        sum += *p;
    for (int *p = a + 4; p > a;)
        sum += *--p;
    int *end = &a[4];
    assert(end - a == 4);
    assert(&grid[3][0] == grid[0] + 12);
    struct item item = {1, {&head}};
    assert(container_of(&item.node, struct item, node)->value == 1);
    struct item *none = container_of(&head, struct item, node);
    assert(&none->node == &head);
    assert(OFFSET(struct item, node) == offsetof(struct item, node));
    int *number = (int *)0 + 3;
    assert((uintptr_t)number == 12);
    number = (int *)(uintptr_t)4096;
    number -= 100;
    char *bytes = malloc(8), *last = bytes + 8;
    while (last > bytes)
        *--last = 0;
    free(bytes);
    return sum;
}
