// selvedge: race=unsafe
// flags: --concurrent put(0,1),put(1,1),get(0),get(1) --property race --stop-on-fail
// Readers lock the first bucket, whichever they read.
#include <pthread.h>

struct bucket {
    pthread_mutex_t lock;
    int key, value;
};

static struct bucket buckets[2] = {{PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER}};

void put(int key, int value) {
    struct bucket *bucket = &buckets[key & 1];
    pthread_mutex_lock(&bucket->lock);
    bucket->key = key; // RACE! buckets
    bucket->value = value; // RACE! buckets
    pthread_mutex_unlock(&bucket->lock);
}

int get(int key) {
    int value = -1;
    struct bucket *bucket = &buckets[key & 1];
    pthread_mutex_lock(&buckets[0].lock);
    if (bucket->key == key) // RACE! buckets
        value = bucket->value; // RACE! buckets
    pthread_mutex_unlock(&buckets[0].lock);
    return value;
}
