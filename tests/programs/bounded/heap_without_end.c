// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A list grows without bound, but nobody reads more of it than its head.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
static struct node *head;

static void *pusher(void *unused)
{
    for (;;) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
        assert(head != NULL);
    }
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, pusher, NULL);
    pthread_join(t1, NULL);
    return 0;
}
