// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_t worker_thread;
static int x;

static void *worker(void *unused)
{
    x = 1; // NORACE
    return unused;
}

static void *joiner(void *unused)
{
    pthread_join(worker_thread, NULL);
    x++; // NORACE
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&worker_thread, NULL, worker, NULL);
    pthread_create(&thread, NULL, joiner, NULL);
    pthread_join(thread, NULL);
    assert(x == 2); // NORACE
    return 0;
}
