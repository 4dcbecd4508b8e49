// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Each object has a check of its own.
#include <pthread.h>

static int good, bad;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    good++; // NORACE
    pthread_mutex_unlock(&lock);
    bad++; // RACE! bad
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
