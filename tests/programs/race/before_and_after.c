// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// What happens before the start of a thread or after its join does not race with it.
#include <assert.h>
#include <pthread.h>

static int x;

static void *worker(void *unused)
{
    x = 2; // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1;
    x = 1; // NORACE
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    x = 3; // NORACE
    assert(x == 3);
    return 0;
}
