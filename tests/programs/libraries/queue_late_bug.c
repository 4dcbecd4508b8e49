// selvedge: race=unsafe
// flags: --setup init --concurrent put,get --property race --stop-on-fail
// The item is taken out after the lock is given back.
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
    q->item = item; // RACE! q
    q->count++;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
}

int get(struct queue *q) {
    pthread_mutex_lock(&q->lock);
    while (q->count == 0)
        pthread_cond_wait(&q->changed, &q->lock);
    q->count--;
    pthread_cond_broadcast(&q->changed);
    pthread_mutex_unlock(&q->lock);
    return q->item; // RACE! q
}
