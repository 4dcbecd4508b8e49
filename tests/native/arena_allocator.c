// An arena allocator over a static byte array with alignment.
// Objects of different types live in one char array.
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static _Alignas(16) unsigned char arena[256];
static size_t used;
static void *take(size_t size, size_t align) {
    size_t at = (used + align - 1) & ~(align - 1);
    if (at + size > sizeof arena) return NULL;
    used = at + size;
    return arena + at;
}
#define NEW(T, n) ((T *)take(sizeof(T) * (n), _Alignof(T)))
struct cell { short tag; long v; struct cell *next; };
int main(void) {
    char *c = NEW(char, 3);
    memcpy(c, "ab", 3);
    int *i = NEW(int, 4);
    for (int k = 0; k < 4; k++) i[k] = k * 11;
    struct cell *head = NULL;
    for (int k = 0; k < 3; k++) { struct cell *n = NEW(struct cell, 1); *n = (struct cell){k, k * 100, head}; head = n; }
    printf("%s %d %td %td\n", c, i[3], (unsigned char *)i - arena, (unsigned char *)head - arena);
    for (struct cell *n = head; n; n = n->next) printf("%d:%ld ", n->tag, n->v);
    printf("\n%zu %d\n", used, NEW(double, 100) == NULL);
    double *d = NEW(double, 2);
    d[1] = 2.5;
    printf("%.1f %zu %d\n", d[1], used, (int)((uintptr_t)d % _Alignof(double)));
    return 0;
}
