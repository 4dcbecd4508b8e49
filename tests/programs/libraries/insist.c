// selvedge: assertion=safe memory=safe
// flags: --concurrent put,count --property assertion --property memory --engine modular
// Assertions on pointers, and branches that end the program, say that callers give no null; `count` handles it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define INSIST(what) ((what) ? (void)0 : abort())

struct box {
    int items;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void put(struct box *b, int *from, int *also) {
    assert(b != NULL && "there is a box");
    INSIST(from);
    if (!also) {
        fprintf(stderr, "nothing to add\n");
        exit(2);
    }
    pthread_mutex_lock(&lock);
    b->items = *from & *also;
    pthread_mutex_unlock(&lock);
}

int count(struct box *b) {
    if (b == NULL)
        return 0;
    pthread_mutex_lock(&lock);
    int items = b->items;
    pthread_mutex_unlock(&lock);
    return items;
}
