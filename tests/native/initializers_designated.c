// Designated initialisers: nested, out of order, overriding, continuing after one.
// Members that are not named are zero.
#include <stdio.h>
struct in { int a, b, c; };
struct out { char tag; struct in x; int arr[5]; struct in y[2]; };
static void show(const struct out *o) {
    printf("%d|%d %d %d|", o->tag, o->x.a, o->x.b, o->x.c);
    for (int i = 0; i < 5; i++) printf("%d ", o->arr[i]);
    for (int i = 0; i < 2; i++) printf("|%d %d %d", o->y[i].a, o->y[i].b, o->y[i].c);
    putchar('\n');
}
int main(void) {
    struct out a = {.arr = {[2] = 7, 8}, .x.b = 3, .tag = 1};
    show(&a);
    struct out b = {.x = {1, 2, 3}, .x.b = 20, .y[1].c = 9, .y[0] = {4}};
    show(&b);
    struct out c = {5, {6, 7}, {1, 2, 3}, {{.c = 1}, {.b = 2, 3}}};
    show(&c);
    struct out d = {.arr[1] = 11, 12, 13, .y = {[1] = {1, 2, 3}}};
    show(&d);
    struct out e = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    show(&e);
    static struct out z;
    show(&z);
    int arr[] = {[5] = 1, 2, [0] = 9, 8, [3] = 4};
    printf("%zu:", sizeof arr / sizeof *arr);
    for (unsigned i = 0; i < sizeof arr / sizeof *arr; i++) printf(" %d", arr[i]);
    putchar('\n');
    int m[3][2] = {[1] = {5}, [0][1] = 6, 7, [2] = {[1] = 8}};
    for (int i = 0; i < 3; i++) printf("%d %d ", m[i][0], m[i][1]);
    putchar('\n');
    struct in old = {a: 1, c: 3};
    printf("%d %d %d\n", old.a, old.b, old.c);
    return 0;
}
