// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1;

static void *doubler(void *unused)
{
    atomic_store(&x, atomic_load(&x) * 2);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, doubler, NULL);
    pthread_create(&t2, NULL, doubler, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2 || x == 4);
    return 0;
}
