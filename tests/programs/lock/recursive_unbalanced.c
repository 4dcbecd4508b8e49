// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// Locked twice, unlocked once: the other thread waits for ever.
#include <pthread.h>

static pthread_mutex_t lock;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock); // DEADLOCK!
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &kind);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL); // DEADLOCK!
    return 0;
}
