// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static void nothing(void)
{
}

static void (*_Atomic action)(void) = nothing;

static void *worker(void *unused)
{
    void (*mine)(void) = atomic_load(&action);
    mine(); // MEMORY! calls through a pointer that is no function
    return unused;
}

static void *clearer(void *unused)
{
    atomic_store(&action, NULL);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, clearer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
