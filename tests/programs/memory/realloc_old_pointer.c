// selvedge: assertion=safe deadlock=safe memory=unsafe
// A pointer into the old block is used after another thread has moved it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *items;
static int *grown;

static void *user(void *old)
{
    atomic_fetch_add((atomic_int *)old, 1); // MEMORY! accesses memory that has been freed
    return NULL;
}

static void *grower(void *unused)
{
    grown = realloc(items, 2 * sizeof(int));
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    items = calloc(1, sizeof *items);
    pthread_create(&t1, NULL, user, items);
    pthread_create(&t2, NULL, grower, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
