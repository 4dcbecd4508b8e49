// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdlib.h>

static int array[2];
static int *pointer = array;

static void *worker(void *unused)
{
    free(pointer); // MEMORY! frees what was not allocated
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
