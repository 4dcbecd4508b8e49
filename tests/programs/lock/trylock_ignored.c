// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
// The result of trylock is not looked at.
#include <pthread.h>

static int x;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_trylock(&lock);
    x++; // RACE! x
    pthread_mutex_unlock(&lock); // MEMORY! unlocks what this thread does not hold
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
