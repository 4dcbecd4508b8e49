// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *unused)
{
    x++; // NORACE
    return unused;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, worker, NULL);
        pthread_join(thread, NULL);
    }
    assert(x == 3);
    return 0;
}
