// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int slots[2];

static void *worker(void *number)
{
    slots[(intptr_t)number]++; // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, (void*)0);
    pthread_create(&t2, NULL, worker, (void*)1);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(slots[0] == 1 && slots[1] == 1);
    return 0;
}
