// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>

static pthread_barrier_t barrier;
static int x;

static void *worker(void *unused)
{
    pthread_barrier_wait(&barrier);
    x = 1; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
