// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int doubled(int n)
{
    return 2 * n;
}

static int squared(int n)
{
    return n * n;
}

static int (*const table[2])(int) = {doubled, squared};
static int results[2];

static void *worker(void *slot)
{
    int *result = slot;
    *result = table[result - results](3); // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, &results[0]);
    pthread_create(&t2, NULL, worker, &results[1]);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(results[0] == 6 && results[1] == 9);
    return 0;
}
