// selvedge: race=safe
// flags: --setup init --concurrent lookup,insert --engine modular --property race
// A cache of the last answer: readers share its lock.
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
    if (cache->key == key) {
        *answer = cache->answer;
        is_found = 1;
    }
    pthread_rwlock_unlock(&cache->lock);
    return is_found;
}

void insert(struct cache *cache, int key, int answer) {
    pthread_rwlock_wrlock(&cache->lock);
    cache->key = key;
    cache->answer = answer;
    cache->hits = 0;
    pthread_rwlock_unlock(&cache->lock);
}
