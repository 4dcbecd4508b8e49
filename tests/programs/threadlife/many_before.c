// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Many threads have come and gone before two work together; the handle of the first is still there, and joined in the end.
#include <assert.h>
#include <pthread.h>

static pthread_t first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    count++; // NORACE
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&first, NULL, worker, NULL);
    for (int i = 0; i < 40; i++) {
        pthread_create(&a, NULL, worker, NULL);
        pthread_join(a, NULL);
    }
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(first, NULL);
    assert(count == 43);
    return 0;
}
