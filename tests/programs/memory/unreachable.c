// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *setter(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void *reader(void *unused)
{
    if (atomic_load(&x) != 0)
        __builtin_unreachable(); // MEMORY! reaches a place marked unreachable
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, setter, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
