// Compound literals at block scope, as arguments, addressed, modified, in loops.
// File-scope ones have static storage.
#include <stdio.h>
struct pt { int x, y; };
static struct pt *global = &(struct pt){3, 4};
static int *table = (int[]){10, 20, 30};
static int dot(struct pt a, struct pt b) { return a.x * b.x + a.y * b.y; }
static int sum(const int *a, int n) { int s = 0; while (n--) s += *a++; return s; }
int main(void) {
    printf("%d %d\n", global->x, table[2]);
    global->x = 5;
    table[0]++;
    printf("%d %d\n", global->x, table[0]);
    printf("%d\n", dot((struct pt){1, 2}, (struct pt){.y = 5}));
    printf("%d\n", sum((int[]){1, 2, 3, 4}, 4));
    struct pt *p = &(struct pt){7, 8};
    p->y *= 2;
    printf("%d %d\n", p->x, p->y);
    int v = 3;
    int *q = (int[3]){v, v * v};
    printf("%d %d %d\n", q[0], q[1], q[2]);
    for (int i = 0; i < 3; i++) {
        int *fresh = &(int){i};
        *fresh += 10;
        printf("%d ", *fresh);
    }
    putchar('\n');
    printf("%d %zu\n", (struct pt){9, 1}.x, sizeof((char[]){"four"}));
    printf("%s\n", (char[]){'o', 'k', 0});
    struct pt arr[2];
    arr[0] = (struct pt){1};
    arr[1] = (struct pt){.y = arr[0].x};
    printf("%d %d %d %d\n", arr[0].x, arr[0].y, arr[1].x, arr[1].y);
    (int){5}++;
    return (int){42};
}
