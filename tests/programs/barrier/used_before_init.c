// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>

static pthread_barrier_t barrier;

static void *worker(void *unused)
{
    pthread_barrier_wait(&barrier); // MEMORY! passes arguments that the library function does not allow
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
