// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int slots[2];

static void *worker(void *slot)
{
    *(int *)slot += 1; // NORACE
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, worker, &slots[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(slots[0] == 1 && slots[1] == 1);
    return 0;
}
