// A chained hash table with string keys that grows and rehashes.
// Counts words of a text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct entry { char *key; int count; struct entry *next; };
static struct entry **table;
static unsigned size = 4, used;
static unsigned hash(const char *s) { unsigned h = 2166136261u; while (*s) h = (h ^ (unsigned char)*s++) * 16777619u; return h; }
static void grow(void) {
    struct entry **t = calloc(size * 2, sizeof *t);
    for (unsigned i = 0; i < size; i++)
        for (struct entry *e = table[i], *n; e; e = n) {
            n = e->next;
            unsigned h = hash(e->key) % (size * 2);
            e->next = t[h];
            t[h] = e;
        }
    free(table);
    table = t;
    size *= 2;
}
static int *at(const char *key) {
    unsigned h = hash(key) % size;
    for (struct entry *e = table[h]; e; e = e->next) if (!strcmp(e->key, key)) return &e->count;
    if (used++ == size) { grow(); h = hash(key) % size; }
    struct entry *e = malloc(sizeof *e);
    *e = (struct entry){strdup(key), 0, table[h]};
    table[h] = e;
    return &e->count;
}
int main(void) {
    char text[] = "the cat and the dog and the bird saw a cat";
    table = calloc(size, sizeof *table);
    for (char *w = strtok(text, " "); w; w = strtok(NULL, " ")) ++*at(w);
    const char *q[] = {"the", "cat", "and", "dog", "bird", "saw", "a", "cow"};
    for (int i = 0; i < 8; i++) printf("%s=%d ", q[i], *at(q[i]));
    printf("\n%u %u\n", used, size);
    for (unsigned i = 0; i < size; i++)
        for (struct entry *e = table[i], *n; e; e = n) { n = e->next; free(e->key); free(e); }
    free(table);
    return used;
}
