// selvedge: race=unsafe
// flags: --setup init --concurrent push,pop,depth --property race --stop-on-fail
// The depth is looked up without the lock.
#include <pthread.h>

struct stack {
    pthread_mutex_t lock;
    int items[4];
    int depth;
};

void init(struct stack *s) {
    pthread_mutex_init(&s->lock, 0);
    s->depth = 0;
}

int push(struct stack *s, int item) {
    int done = 0;
    pthread_mutex_lock(&s->lock);
    if (s->depth < 4) {
        s->items[s->depth++] = item; // RACE! s
        done = 1;
    }
    pthread_mutex_unlock(&s->lock);
    return done;
}

int pop(struct stack *s, int *item) {
    int done = 0;
    pthread_mutex_lock(&s->lock);
    if (s->depth > 0) {
        *item = s->items[--s->depth]; // RACE! s
        done = 1;
    }
    pthread_mutex_unlock(&s->lock);
    return done;
}

int depth(struct stack *s) {
    return s->depth; // RACE! s
}
