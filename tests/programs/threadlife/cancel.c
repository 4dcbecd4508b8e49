// A cancelled thread takes its mutex again, runs its handlers, the last one first, and ends.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int handled;

static void first(void *unused)
{
    assert(handled == 1);
    handled = 2;
    pthread_mutex_unlock(&mutex);
}

static void second(void *unused)
{
    handled = 1;
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(first, NULL);
    pthread_cleanup_push(second, NULL);
    for (;;)
        pthread_cond_wait(&never, &mutex);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    assert(result == PTHREAD_CANCELED);
    assert(handled == 2);
    return 0;
}
