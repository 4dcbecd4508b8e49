// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static int x = 3;

static void *first(void *unused)
{
    assert(__atomic_load_n(&x, __ATOMIC_SEQ_CST) == 3); // NORACE
    return unused;
}

static void *second(void *unused)
{
    assert(x == 3); // NORACE
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
