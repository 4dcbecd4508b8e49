// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int runs, value;

static void initialise(void)
{
    runs++;
    value = 5;
}

static void *worker(void *unused)
{
    pthread_once(&control, initialise);
    assert(value == 5); // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(runs == 1);
    return 0;
}
