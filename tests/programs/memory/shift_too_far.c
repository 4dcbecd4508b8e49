// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int amount = 30;
static unsigned result;

static void *shifter(void *unused)
{
    result = 1u << atomic_load(&amount); // MEMORY! shifts by at least the width
    return unused;
}

static void *changer(void *unused)
{
    atomic_fetch_add(&amount, 2);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, shifter, NULL);
    pthread_create(&t2, NULL, changer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
