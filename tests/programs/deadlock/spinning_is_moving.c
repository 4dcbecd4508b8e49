// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Waiting by spinning is no deadlock, even when nobody will ever set the flag.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *worker(void *unused)
{
    while (!atomic_load(&flag)) {
    }
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
