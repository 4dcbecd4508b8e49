// How many threads a pool has is kept in the pool: whoever joins so many has joined all.
#include <pthread.h>
#include <stdlib.h>

struct pool {
    int count;
    int stop;
    pthread_mutex_t lock;
    pthread_t *threads;
};

void *work(void *argument)
{
    struct pool *pool = argument;
    pthread_mutex_lock(&pool->lock);
    int stop = pool->stop;
    pthread_mutex_unlock(&pool->lock);
    return stop ? argument : 0;
}

struct pool *start(int count)
{
    struct pool *pool = malloc(sizeof *pool);
    pool->count = count;
    pool->stop = 0;
    pthread_mutex_init(&pool->lock, 0);
    pool->threads = malloc(count * sizeof *pool->threads);
    for (int i = 0; i < count; i++)
        pthread_create(&pool->threads[i], 0, work, pool);
    return pool;
}

void end(struct pool *pool)
{
    for (int i = 0; i < pool->count; i++)
        pthread_join(pool->threads[i], 0);
    pool->stop = 1;  // NORACE
    pthread_mutex_destroy(&pool->lock);
    free(pool->threads);
    free(pool);  // NORACE
}

int main(void)
{
    end(start(2));
    return 0;
}
