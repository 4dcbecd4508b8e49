// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// One atomic access does not help if the other is plain.
#include <pthread.h>

static int x;

static void *first(void *unused)
{
    __atomic_store_n(&x, 1, __ATOMIC_SEQ_CST); // RACE! x
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
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
