// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static void *worker(void *slot)
{
    *(int *)slot = 1; // NORACE
    return NULL;
}

static int run(void)
{
    pthread_t thread;
    int local = 0;
    pthread_create(&thread, NULL, worker, &local);
    pthread_join(thread, NULL);
    return local; // NORACE
}

int main(void)
{
    assert(run() == 1);
    return 0;
}
