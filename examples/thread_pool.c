/* Shutting down a pool of threads: workers sleep until there is a job or the end, finish what is queued, and leave.
   Selvedge proves that every job is done exactly once and that no worker is left asleep. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

enum { WORKERS = 2, JOBS = 2 };

static int queued, done, closing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (queued == 0 && !closing)
            pthread_cond_wait(&changed, &lock);
        if (queued == 0)
            break;
        queued--;
        done++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    for (int i = 0; i < JOBS; i++) {
        pthread_mutex_lock(&lock);
        queued++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    closing = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    assert(done == JOBS && queued == 0);
    return 0;
}
