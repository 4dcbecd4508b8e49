typedef unsigned long size_t;
typedef struct node { int key : 5; unsigned flags : 3; struct node *next; union { int i; float f; char name[4]; }; } node;
enum colour { RED, GREEN = 5, BLUE };
static node pool[4] = { { 1, 2, 0, { 3 } }, [2] = { .name = "ab", .next = &pool[1] }, [1].key = 3 };
static const int limit = 10;
extern int printf(const char *format, ...);
_Atomic int counter;
int table[][2] = { 1, 2, { 3 }, [5] = { 6, 7 } };
static int add(int a, int b) { return a + b; }
int (*operation)(int, int) = add;
int old(a, b) char a; float b; { return a + b; }
static size_t length(const char *s) { const char *p = s; while (*p) p++; return p - s; }
int sum(int n, int m[n][n]) {
    int total = 0, v[n];
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) total += m[i][j];
    v[0] = sizeof v / sizeof v[0];
    return total + v[0];
}
void *worker(void *arg) {
    node *self = arg;
    static int calls;
    __sync_fetch_and_add(&calls, 1);
    counter += self->key ? self->key : limit;
    switch (self->flags) {
    case 0 ... 3: self->i++; break;
    case 'x' + RED: goto out;
    default: self->f *= 2.5f;
    }
out:
    return ({ node *t = self->next; t ?: self; });
}
int main(int argc, char **argv) {
    node local = pool[0], *p = &local;
    int *q = (int[]){ argc, 2 };
    p->next = &(node){ .key = 1, .name = { 'a', 'b' } };
    enum colour c = argc > 1 ? GREEN : BLUE;
    do { operation(q[0], (*operation)(c, 2)); if (c == RED) continue; } while (--argc);
    __auto_type r = worker(p);
    typeof(*p) copy = *(node *)r;
    _Static_assert(sizeof(int) == 4, "int");
    printf("%d %s %zu\n", copy.key, argv[0], length(__func__) + __builtin_offsetof(node, i));
    __asm__ volatile("" : "+r"(argc) : : "memory");
    return old('a', 1.5f) + _Generic(c, int: 1, default: 2) + (c, counter);
}
