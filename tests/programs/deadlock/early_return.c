// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// One way out of the function forgets to unlock.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int failing;

static int work(void)
{
    pthread_mutex_lock(&lock); // DEADLOCK!
    if (atomic_load(&failing))
        return -1;
    pthread_mutex_unlock(&lock);
    return 0;
}

static void *worker(void *unused)
{
    work();
    return unused;
}

static void *failure(void *unused)
{
    atomic_store(&failing, 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_create(&t3, NULL, failure, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL); // DEADLOCK!
    pthread_join(t3, NULL);
    return 0;
}
