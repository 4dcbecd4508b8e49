// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// The routine wants a lock that the caller holds already.
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void initialise(void)
{
    pthread_mutex_lock(&lock); // DEADLOCK!
    pthread_mutex_unlock(&lock);
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_once(&control, initialise);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    return 0;
}
