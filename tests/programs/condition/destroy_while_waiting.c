// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
// The waiter never hears of the end: where it sleeps when the condition variable goes, that is undefined.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int ready;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    if (!atomic_load(&ready))
        pthread_cond_wait(&changed, &lock); // RACE! changed, MEMORY! uses a synchronisation object that has been destroyed
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, waiter, NULL);
    atomic_store(&ready, 1);
    pthread_cond_destroy(&changed); // RACE! changed, MEMORY! destroys a synchronisation object that is in use
    pthread_join(thread, NULL);
    return 0;
}
