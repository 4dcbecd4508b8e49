// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The racing statement cannot be reached.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int mode;
static int x;

static void *first(void *unused)
{
    x = 1; // NORACE
    return unused;
}

static void *second(void *unused)
{
    if (atomic_load(&mode) == 2)
        x = 2; // NORACE
    return unused;
}

static void *third(void *unused)
{
    atomic_store(&mode, 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_create(&t3, NULL, third, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
