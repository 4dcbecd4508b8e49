// selvedge: assertion=safe race=safe memory=safe
// flags: --setup init --concurrent put,get
// A queue of one place: who finds it full or empty waits.
#include <assert.h>
#include <pthread.h>

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int item;
    int count;
};

void init(struct queue *q) {
    pthread_mutex_init(&q->lock, 0);
    pthread_cond_init(&q->changed, 0);
    q->count = 0;
}

void put(struct queue *q, int item) {
    pthread_mutex_lock(&q->lock);
    while (q->count == 1)
        pthread_cond_wait(&q->changed, &q->lock);
    q->item = item;
    q->count++;
    assert(q->count == 1);
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

int get(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    while (q->count == 0)
        pthread_cond_wait(&q->changed, &q->lock);
    int item = q->item;
    q->count--;
    assert(q->count == 0);
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return item;
}
