// selvedge: race=safe
// A pointer that may point to a string literal, by all that is known of it without a path: nobody writes there, since that is
// undefined, and the rest is guarded.
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    const char *name;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *cells[2];

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    struct node *node = malloc(sizeof *node);
    node->name = "name";
    cells[1] = (void *)node->name;
    cells[0] = node;
    for (int at = 0; at < 1; at++) {
        struct node *one = cells[at];
        one->next = node;
    }
    pthread_mutex_unlock(&lock);
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
