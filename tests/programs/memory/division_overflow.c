// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int divisor = 1;
static int result;

static void *divider(void *unused)
{
    result = INT_MIN / atomic_load(&divisor); // MEMORY! divides the smallest number by -1
    return unused;
}

static void *negater(void *unused)
{
    atomic_store(&divisor, -1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, divider, NULL);
    pthread_create(&t2, NULL, negater, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
