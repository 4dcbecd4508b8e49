// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// Producers and consumers share a condition variable, and a signal can wake the wrong one.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;

static void *producer(void *unused)
{
    pthread_mutex_lock(&lock);
    while (full)
        pthread_cond_wait(&changed, &lock); // DEADLOCK!
    full = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *consumer(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&changed, &lock); // DEADLOCK!
    full = 0;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, consumer, NULL);
    pthread_create(&threads[1], NULL, consumer, NULL);
    pthread_create(&threads[2], NULL, producer, NULL);
    pthread_create(&threads[3], NULL, producer, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL); // DEADLOCK!
    return 0;
}
