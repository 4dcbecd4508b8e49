// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// exit in any thread ends the process.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *worker(void *unused)
{
    exit(0);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(0);
    return 0;
}
