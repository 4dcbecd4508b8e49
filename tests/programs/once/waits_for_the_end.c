// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The routine takes a lock; who comes second waits until it is through.
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int steps;

static void initialise(void)
{
    pthread_mutex_lock(&lock);
    steps = 1;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    steps = 2;
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
    pthread_once(&control, initialise);
    assert(steps == 2); // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
