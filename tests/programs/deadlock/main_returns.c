// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The end of main ends the process, stuck threads and all.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *stuck(void *unused)
{
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, stuck, NULL);
    return 0;
}
