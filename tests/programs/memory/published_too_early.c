// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The contents are written after the pointer is there for all to see.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
};
static _Atomic(struct node *) head;
static int seen;

static void *sender(void *unused)
{
    struct node *node = calloc(1, sizeof *node);
    atomic_store(&head, node);
    node->value = 1; // RACE! heap
    return unused;
}

static void *receiver(void *unused)
{
    struct node *node = atomic_load(&head);
    if (node)
        seen = node->value; // RACE! heap
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, sender, NULL);
    pthread_create(&t2, NULL, receiver, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
