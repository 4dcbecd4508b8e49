// selvedge: assertion=safe race=safe deadlock=unsafe memory=unsafe
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *worker(void *unused)
{
    pthread_mutex_lock(&a);
    pthread_cond_wait(&changed, &a); // MEMORY! another mutex DEADLOCK!
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&b);
    pthread_cond_wait(&changed, &b); // MEMORY! another mutex DEADLOCK!
    pthread_mutex_unlock(&b);
    return 0;
}
