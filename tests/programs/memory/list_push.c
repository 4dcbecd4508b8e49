// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};
static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *pusher(void *unused)
{
    struct node *node = malloc(sizeof *node);
    node->value = 1; // NORACE
    pthread_mutex_lock(&lock);
    node->next = head;
    head = node;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, pusher, NULL);
    pthread_create(&t2, NULL, pusher, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(head->value + head->next->value == 2);
    assert(head->next->next == NULL);
    return 0;
}
