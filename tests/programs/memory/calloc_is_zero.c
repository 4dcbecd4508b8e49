// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *items;

static void *worker(void *slot)
{
    assert(*(int *)slot == 0); // NORACE
    *(int *)slot = 1; // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    items = calloc(2, sizeof *items);
    pthread_create(&t1, NULL, worker, &items[0]);
    pthread_create(&t2, NULL, worker, &items[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    free(items);
    return 0;
}
