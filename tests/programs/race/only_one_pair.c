// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Three accesses of x, one of them ordered with both others.
#include <pthread.h>

static int x;

static void *first(void *unused)
{
    x = 1; // RACE! x
    return unused;
}

static void *second(void *unused)
{
    x = 2; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    x = 0; // NORACE
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    x = 3; // NORACE
    return 0;
}
