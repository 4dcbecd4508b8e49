// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Definitions without prototypes.
#include <pthread.h>

static int x;

static int add(a, b)
int a, b;
{
    return a + b;
}

static void *worker()
{
    x = add(x, 1); // RACE! x
    return 0;
}

int main()
{
    pthread_t t1, t2;
    pthread_create(&t1, 0, worker, 0);
    pthread_create(&t2, 0, worker, 0);
    pthread_join(t1, 0);
    pthread_join(t2, 0);
    return 0;
}
