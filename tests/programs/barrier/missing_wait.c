// selvedge: assertion=safe race=unsafe deadlock=unsafe memory=safe
// One thread forgets the barrier: the other waits for ever.
#include <pthread.h>

static pthread_barrier_t barrier;
static int a;

static void *first(void *unused)
{
    a = 1; // RACE! a
    pthread_barrier_wait(&barrier); // DEADLOCK!
    return unused;
}

static void *second(void *unused)
{
    a = 2; // RACE! a
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL);
    return 0;
}
