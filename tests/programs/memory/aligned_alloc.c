// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static int *items;

static void *worker(void *slot)
{
    *(int *)slot = 2; // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    items = aligned_alloc(64, 64);
    pthread_create(&t1, NULL, worker, &items[0]);
    pthread_create(&t2, NULL, worker, &items[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(items[0] + items[1] == 4);
    free(items);
    return 0;
}
