// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static int take(void)
{
    pthread_mutex_lock(&lock);
    if (x >= 1) {
        pthread_mutex_unlock(&lock);
        return 0;
    }
    x++; // NORACE
    pthread_mutex_unlock(&lock);
    return 1;
}

static int taken[2];

static void *worker(void *slot)
{
    *(int *)slot = take();
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, &taken[0]);
    pthread_create(&t2, NULL, worker, &taken[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(taken[0] + taken[1] == 1);
    return 0;
}
