/* Double-checked initialisation as it is often written: a plain pointer, read without the lock and written under it.
   Interleaving alone does not break it, so the assertion holds, but in C this is a data race: a compiler or a processor may
   publish the pointer before the contents. Selvedge reports the race on `config`. */
// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct config {
    int limit;
};

static struct config *config;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct config *get_config(void)
{
    if (!config) { // RACE! config
        pthread_mutex_lock(&lock);
        if (!config) {
            struct config *fresh = malloc(sizeof *fresh);
            fresh->limit = 10;
            config = fresh; // RACE! config
        }
        pthread_mutex_unlock(&lock);
    }
    return config; // NORACE
}

static void *worker(void *unused)
{
    assert(get_config()->limit == 10);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    return 0;
}
