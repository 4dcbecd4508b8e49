// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Who does not look at the result does not notice that the mutex is lost.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static int x;

static void *user(void *unused)
{
    pthread_mutex_lock(&mutex);
    x++; // RACE! x
    pthread_mutex_unlock(&mutex);
    return unused;
}

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
    pthread_t thread, other;
    set_up(&mutex);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_join(thread, NULL);
    pthread_create(&other, NULL, user, NULL);
    user(NULL);
    user(NULL);
    pthread_join(other, NULL);
    return 0;
}
