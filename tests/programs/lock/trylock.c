// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int x, entered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        x++; // NORACE
        entered = 1; // NORACE
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(entered == 1);
    assert(x == 1 || x == 2);
    return 0;
}
