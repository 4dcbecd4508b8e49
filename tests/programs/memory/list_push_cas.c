// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
static _Atomic(struct node *) head;

static void *pusher(void *unused)
{
    struct node *node = malloc(sizeof *node);
    node->value = 1; // NORACE
    node->next = atomic_load(&head);
    while (!atomic_compare_exchange_strong(&head, &node->next, node)) {
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, pusher, NULL);
    pthread_create(&t2, NULL, pusher, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    struct node *first = head;
    assert(first->value + first->next->value == 2);
    assert(first->next->next == NULL);
    return 0;
}
