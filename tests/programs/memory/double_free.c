// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *worker(void *unused)
{
    free(shared); // RACE! heap MEMORY! frees memory that has been freed already
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    shared = malloc(sizeof *shared);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
