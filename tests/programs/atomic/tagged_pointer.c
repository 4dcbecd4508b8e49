// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: --engine explicit
// A stack's top with a counter beside it, changed together by a compare-and-exchange of both.
#include <assert.h>
#include <pthread.h>

struct node {
    struct node *next;
};

struct head {
    struct node *top;
    unsigned long changes;
} __attribute__((aligned(16)));

static struct head head;
static struct node one, two;

static void push(struct node *node) {
    struct head old, new;
    __atomic_load(&head, &old, __ATOMIC_SEQ_CST);
    do {
        node->next = old.top;
        new.top = node;
        new.changes = old.changes + 1;
    } while (!__atomic_compare_exchange(&head, &old, &new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

static void *pusher(void *argument) {
    push(&two);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, pusher, 0);
    push(&one);
    pthread_join(thread, 0);
    assert(head.changes == 2);
    assert(head.top->next && !head.top->next->next);
    return 0;
}
