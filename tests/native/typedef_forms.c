// typedefs of functions, arrays, pointers, structs, and several in one declaration.
// A typedef in the middle of the specifiers and self-referring structs.
#include <stdio.h>
typedef int integer, *int_ptr, int_array[4], int_fn(int);
typedef struct list { int v; struct list *next; } list, *list_ptr;
int typedef long unsigned big;
typedef const char *name;
typedef int_fn *fn_table[2];
typedef struct opaque opaque;
struct opaque { opaque *self; int id; };
typedef char string[8];
typedef string pair_of_strings[2];
static int_fn twice, thrice;
static int twice(int x) { return 2 * x; }
static int thrice(integer x) { return 3 * x; }
static int last(const int_array a) { return a[3]; }
int main(void) {
    integer i = 5;
    int_ptr p = &i, q = p;
    int_array a = {1, 2, 3, 4};
    *q += a[1];
    printf("%d %d\n", i, last(a));
    list c = {3, 0}, b = {2, &c};
    list_ptr h = &(list){1, &b};
    for (; h; h = h->next) printf("%d ", h->v);
    putchar('\n');
    fn_table t = {twice, thrice};
    printf("%d %d\n", t[0](7), t[1](7));
    big x = -1;
    printf("%lu %zu\n", x, sizeof(big));
    name n[] = {"ab", "cd"};
    n[0] = n[1];
    printf("%s\n", n[0]);
    opaque o = {&o, 9};
    printf("%d\n", o.self->self->id);
    pair_of_strings s = {"left", "right"};
    printf("%s %s %zu\n", s[0], s[1], sizeof s);
    const int_array ca = {[3] = 8};
    return last(ca);
}
