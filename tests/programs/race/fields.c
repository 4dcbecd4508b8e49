// selvedge: race=unsafe
// A struct of which one field is guarded by its lock, one is only read, and one is neither.
#include <pthread.h>

struct pool {
    pthread_mutex_t lock;
    int count, other, limit;
} pool = {PTHREAD_MUTEX_INITIALIZER};

static void *work(void *argument) {
    pool.other += pool.limit; // RACE! pool
    pthread_mutex_lock(&pool.lock);
    pool.count++; // NORACE
    pthread_mutex_unlock(&pool.lock);
    return 0;
}

int main(void) {
    pthread_t first, second;
    pool.limit = 3;
    pthread_create(&first, 0, work, 0);
    pthread_create(&second, 0, work, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return pool.count;
}
