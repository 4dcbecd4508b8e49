// selvedge: race=safe
// flags: --assume-externals
// A thread that may be cancelled anywhere: what others share with it is looked at all the same.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *worker(void *unused)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    pthread_cancel(thread);
    pthread_join(thread, 0);
    return 0;
}
