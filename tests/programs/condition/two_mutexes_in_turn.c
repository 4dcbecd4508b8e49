// One condition variable may be used with another mutex when nobody sleeps on it any more.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int step;

static void await(pthread_mutex_t *mutex, int wanted)
{
    pthread_mutex_lock(mutex);
    while (step < wanted)
        pthread_cond_wait(&changed, mutex);
    pthread_mutex_unlock(mutex);
}

static void advance(pthread_mutex_t *mutex)
{
    pthread_mutex_lock(mutex);
    step++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(mutex);
}

static void *worker(void *mutex)
{
    advance(mutex);
    return NULL;
}

static void round(pthread_mutex_t *mutex, int wanted)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, mutex);
    await(mutex, wanted);
    pthread_join(thread, NULL);
}

int main(void)
{
    round(&a, 1);
    round(&b, 2);
    return 0;
}
