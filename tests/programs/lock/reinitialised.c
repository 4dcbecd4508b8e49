// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A destroyed mutex can be initialised again.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    x++; // NORACE
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_mutex_destroy(&lock);
    pthread_mutex_init(&lock, NULL);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
