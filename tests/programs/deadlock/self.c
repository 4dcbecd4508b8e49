// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock); // DEADLOCK!
    pthread_mutex_lock(&lock); // DEADLOCK!
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL);
    return 0;
}
