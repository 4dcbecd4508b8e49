// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double balance = 1.5;

static void *worker(void *amount)
{
    pthread_mutex_lock(&lock);
    balance += *(double *)amount; // NORACE
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    static double amounts[2] = {0.25, -0.5};
    pthread_create(&t1, NULL, worker, &amounts[0]);
    pthread_create(&t2, NULL, worker, &amounts[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(balance == 1.25);
    return 0;
}
