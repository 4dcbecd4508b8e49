// selvedge: race=bounded memory=bounded
// flags: --concurrent put(0,1),put(1,1),get(0),get(1) --engine explicit --threads 2
// A hash table without any set-up: its locks are initialised statically, one for each bucket.
#include <pthread.h>

struct bucket {
    pthread_mutex_t lock;
    int key, value;
};

static struct bucket buckets[2] = {{PTHREAD_MUTEX_INITIALIZER}, {PTHREAD_MUTEX_INITIALIZER}};

void put(int key, int value) {
    struct bucket *bucket = &buckets[key & 1];
    pthread_mutex_lock(&bucket->lock);
    bucket->key = key;
    bucket->value = value;
    pthread_mutex_unlock(&bucket->lock);
}

int get(int key) {
    int value = -1;
    struct bucket *bucket = &buckets[key & 1];
    pthread_mutex_lock(&bucket->lock);
    if (bucket->key == key)
        value = bucket->value;
    pthread_mutex_unlock(&bucket->lock);
    return value;
}
