// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdlib.h>

static char *buffer;

static void *worker(void *unused)
{
    free(buffer + 1); // MEMORY! frees what was not allocated
    return unused;
}

int main(void)
{
    pthread_t t1;
    buffer = malloc(4);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
