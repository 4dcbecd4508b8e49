// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

enum { COUNT = 4 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < COUNT; i++)
        pthread_join(threads[i], NULL);
    assert(x == COUNT);
    return 0;
}
