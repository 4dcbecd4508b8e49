// selvedge: memory=unsafe
// flags: --setup init --concurrent push,pop,depth --property memory --stop-on-fail
// Whether there is room is asked before the lock is taken again: two callers may both find the last place.
#include <pthread.h>

struct stack {
    pthread_mutex_t lock;
    int items[1];
    int depth;
};

void init(struct stack *s) {
    pthread_mutex_init(&s->lock, 0);
    s->depth = 0;
}

int depth(struct stack *s);

int push(struct stack *s, int item) {
    if (depth(s) == 1)
        return 0;
    pthread_mutex_lock(&s->lock);
    s->items[s->depth++] = item; // MEMORY! beyond its bounds
    pthread_mutex_unlock(&s->lock);
    return 1;
}

int pop(struct stack *s, int *item) {
    int done = 0;
    pthread_mutex_lock(&s->lock);
    if (s->depth > 0) {
        *item = s->items[--s->depth];
        done = 1;
    }
    pthread_mutex_unlock(&s->lock);
    return done;
}

int depth(struct stack *s) {
    pthread_mutex_lock(&s->lock);
    int depth = s->depth;
    pthread_mutex_unlock(&s->lock);
    return depth;
}
