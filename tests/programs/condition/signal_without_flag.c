// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// The signal is lost if it comes before the wait.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock); // DEADLOCK!
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *setter(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, waiter, NULL);
    pthread_create(&t2, NULL, setter, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL);
    return 0;
}
