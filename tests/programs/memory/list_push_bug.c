// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// Without the lock an element is lost.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
static struct node *head;

static void *pusher(void *unused)
{
    struct node *node = malloc(sizeof *node);
    node->value = 1; // NORACE
    node->next = head; // RACE! head
    head = node; // RACE! head
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, pusher, NULL);
    pthread_create(&t2, NULL, pusher, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(head->next != NULL); // FAIL!
    return 0;
}
