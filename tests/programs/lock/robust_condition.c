// selvedge: deadlock=unknown
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition;

static void *worker(void *unused)
{
    pthread_mutex_lock(&mutex);
    return unused;
}

static void set_up(pthread_mutex_t *robust)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(robust, &attr);
}

int main(void)
{
    pthread_t thread;
    set_up(&mutex);
    pthread_create(&thread, NULL, worker, NULL);
    if (pthread_mutex_lock(&mutex) == 0)
        pthread_cond_wait(&condition, &mutex); // UNKNOWN! owner has ended
    return 0;
}
