// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

_Static_assert(sizeof(int) == 4, "int");
static atomic_int x;

static void *worker(void *unused)
{
    static_assert(sizeof(long) >= 4, "long");
    atomic_fetch_add(&x, 1);
    assert(atomic_load(&x) >= 1 && "counts");
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
