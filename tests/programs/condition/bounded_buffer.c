// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int slot, full;

static void *producer(void *unused)
{
    for (int item = 1; item <= 2; item++) {
        pthread_mutex_lock(&lock);
        while (full)
            pthread_cond_wait(&emptied, &lock);
        slot = item;
        full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void *consumer(void *unused)
{
    for (int expected = 1; expected <= 2; expected++) {
        pthread_mutex_lock(&lock);
        while (!full)
            pthread_cond_wait(&filled, &lock);
        assert(slot == expected);
        full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
