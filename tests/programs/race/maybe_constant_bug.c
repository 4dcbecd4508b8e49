// selvedge: race=unsafe
// The same as maybe_constant.c, without the lock.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    const char *name;
};

static void *cells[2];

static void *worker(void *unused)
{
    struct node *node = malloc(sizeof *node);
    node->name = "name";
    cells[1] = (void *)node->name; // RACE! cells
    cells[0] = node; // RACE! cells
    for (int at = 0; at < 1; at++) {
        struct node *one = cells[at]; // RACE! cells
        one->next = node; // RACE! heap
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
