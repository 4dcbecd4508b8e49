// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The pointer is shared and changes; what it points to is written by one thread only.
#include <pthread.h>

static int a, b;
static int *p = &a;

static void *first(void *unused)
{
    p = &b; // RACE! p
    return unused;
}

static void *second(void *unused)
{
    *p = 1; // RACE! p
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
