/* The pool of thread_pool.c, closed with a signal where a broadcast is needed: one worker hears of the end, the other sleeps
   on, and the join never returns. It works whenever at most one worker sleeps at that moment, which is why tests miss it.
   Selvedge reports the deadlock and where everyone waits. */
// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
#include <assert.h>
#include <pthread.h>

enum { WORKERS = 2 };

static int queued, done, closing;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    for (;;) {
        while (queued == 0 && !closing)
            pthread_cond_wait(&changed, &lock); // DEADLOCK!
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
    pthread_mutex_lock(&lock);
    queued++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    closing = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL); // DEADLOCK!
    assert(done == 1 && queued == 0);
    return 0;
}
