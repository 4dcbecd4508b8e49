// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
// Depending on the schedule the lock is held, already destroyed, or fine.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock); // RACE! lock, MEMORY! uses a synchronisation object that has been destroyed
    pthread_mutex_unlock(&lock); // RACE! lock
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_destroy(&lock); // RACE! lock, MEMORY! destroys a synchronisation object that is in use
    pthread_join(thread, NULL);
    return 0;
}
