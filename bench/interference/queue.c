/* A work queue: one thread adds K jobs for each of the others, which wait for them on a condition variable.
   BUG: the workers do not look again after they were woken. */
#include "spawn.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;
static int jobs, done;

static void *work(void *number)
{
    if ((long)number == 0) {
        for (int k = 0; k < K * (N - 1); k++) {
            pthread_mutex_lock(&lock);
            jobs++;
            pthread_cond_signal(&more);
            pthread_mutex_unlock(&lock);
        }
        return NULL;
    }
    for (int k = 0; k < K; k++) {
        pthread_mutex_lock(&lock);
#ifdef BUG
        if (jobs == 0)
#else
        while (jobs == 0)
#endif
            pthread_cond_wait(&more, &lock);
        jobs--;
        assert(jobs >= 0);
        done++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    run(work);
    return 0;
}
