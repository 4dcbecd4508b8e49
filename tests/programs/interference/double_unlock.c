// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
// The lock is released in the branch and again after it: no schedule is needed to see that, one thread alone does it.
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static int x, y;

static void *worker(void *unused)
{
    pthread_mutex_lock(&a);
    if (x == 0)
        pthread_mutex_unlock(&a);
    y = 1; // RACE! y
    pthread_mutex_unlock(&a); // MEMORY! unlocks what this thread does not hold
    return unused;
}

static void *setter(void *unused)
{
    pthread_mutex_lock(&a);
    x = 1;
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_create(&t3, NULL, setter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
