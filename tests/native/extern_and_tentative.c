// Tentative definitions, extern declarations in blocks, linkage across redeclarations.
// Incomplete array completed by a later definition.
#include <stdio.h>
int tentative;
int tentative;
extern int later[];
static int internal(void);
extern int fwd;
int get(void) { extern int fwd; return fwd + internal(); }
int tentative = 4;
int fwd = 30;
static int internal(void) { return later[1]; }
int later[] = {7, 8, 9};
struct node;
struct node *global_node;
struct node { int v; };
static struct node storage = {6};
static int zeroed[3];
int only_tentative;
int main(void) {
    extern int get(void);
    global_node = &storage;
    printf("%d %d %d\n", tentative, get(), global_node->v);
    printf("%d %d %zu\n", zeroed[2], only_tentative, sizeof later);
    { extern int tentative; tentative++; }
    int fwd = 1;
    { extern int fwd; fwd += 5; }
    printf("%d %d %d\n", tentative, fwd, get());
    return 0;
}
