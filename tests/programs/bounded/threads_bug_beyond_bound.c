// selvedge: assertion=bounded race=bounded memory=bounded
// flags: --threads 2
// It takes three threads to fail.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { COUNT = 3 };
static atomic_int inside;

static void *worker(void *unused)
{
    int others = atomic_fetch_add(&inside, 1);
    assert(others < 2);
    atomic_fetch_sub(&inside, 1);
    return unused;
}

int main(void)
{
    pthread_t threads[COUNT];
    for (int i = 0; i < COUNT; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < COUNT; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
