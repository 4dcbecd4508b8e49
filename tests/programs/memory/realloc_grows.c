// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *items, count;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    items = realloc(items, (count + 1) * sizeof *items);
    items[count++] = 7; // NORACE
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(count == 2 && items[0] == 7 && items[1] == 7);
    free(items);
    return 0;
}
