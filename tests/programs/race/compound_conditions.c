// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// The right operand of && is read only if the left one holds.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int enabled;
static int x, y;

static void *first(void *unused)
{
    if (atomic_load(&enabled) && x) // RACE! x
        y = 1; // NORACE
    return unused;
}

static void *second(void *unused)
{
    atomic_store(&enabled, 1);
    x = 1; // RACE! x
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
