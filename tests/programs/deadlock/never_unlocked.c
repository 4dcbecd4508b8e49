// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// A thread ends with the lock in hand.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *forgetful(void *unused)
{
    pthread_mutex_lock(&lock); // DEADLOCK!
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, forgetful, NULL);
    pthread_create(&t2, NULL, forgetful, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL); // DEADLOCK!
    return 0;
}
