// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int turn;
static int data;

static void *first(void *unused)
{
    atomic_store(&turn, 1);
    data = 1; // RACE! data
    return unused;
}

static void *second(void *unused)
{
    if (atomic_load(&turn) == 1)
        data = 2; // RACE! data
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
