// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// Two readers both want to become writers: each waits for the other to stop reading.
// A thread that reads and asks to write waits for its own read lock as well.
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *worker(void *unused)
{
    pthread_rwlock_rdlock(&lock);
    pthread_rwlock_wrlock(&lock); // DEADLOCK!
    pthread_rwlock_unlock(&lock);
    pthread_rwlock_unlock(&lock);
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
