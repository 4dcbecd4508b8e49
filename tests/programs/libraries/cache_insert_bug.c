// selvedge: race=unsafe
// flags: --setup init --concurrent lookup,insert --property race --stop-on-fail
// Who inserts takes the lock for reading.
#include <pthread.h>

struct cache {
    pthread_rwlock_t lock;
    int key, answer, hits;
};

void init(struct cache *cache) {
    pthread_rwlock_init(&cache->lock, 0);
    cache->key = -1;
    cache->hits = 0;
}

int lookup(struct cache *cache, int key, int *answer) {
    int is_found = 0;
    pthread_rwlock_rdlock(&cache->lock);
    if (cache->key == key) { // RACE! cache
        *answer = cache->answer; // RACE! cache
        is_found = 1;
    }
    pthread_rwlock_unlock(&cache->lock);
    return is_found;
}

void insert(struct cache *cache, int key, int answer) {
    pthread_rwlock_rdlock(&cache->lock);
    cache->key = key; // RACE! cache
    cache->answer = answer; // RACE! cache
    cache->hits = 0; // RACE! cache
    pthread_rwlock_unlock(&cache->lock);
}
