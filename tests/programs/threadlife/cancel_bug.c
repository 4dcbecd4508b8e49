// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// A cancelled thread that has no handler keeps its mutex.
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_testcancel();
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_cancel(thread);
    pthread_mutex_lock(&mutex); // DEADLOCK!
    pthread_mutex_unlock(&mutex);
    return 0;
}
