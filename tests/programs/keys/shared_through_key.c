// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The key is per thread, what it points to is not.
#include <pthread.h>

static pthread_key_t key;
static int shared;

static void *worker(void *unused)
{
    pthread_setspecific(key, &shared);
    *(int *)pthread_getspecific(key) += 1; // RACE! shared
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_key_create(&key, NULL);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
