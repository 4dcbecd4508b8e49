// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <pthread.h>
#include <stdatomic.h>

extern void reach_error(void);
static atomic_int x;

static void *first(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void *second(void *unused)
{
    if (atomic_load(&x) == 1)
        reach_error(); // FAIL!
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
