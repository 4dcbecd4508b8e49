// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// A barrier for two and three threads: one is left over.
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *unused)
{
    pthread_barrier_wait(&barrier); // DEADLOCK!
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_create(&t3, NULL, worker, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL); // DEADLOCK!
    pthread_join(t3, NULL); // DEADLOCK!
    return 0;
}
