// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdatomic.h>

static atomic_int parts;
static int share;

static void *divider(void *unused)
{
    share = 100 / atomic_load(&parts); // MEMORY! divides by zero
    return unused;
}

static void *setter(void *unused)
{
    atomic_store(&parts, 4);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, divider, NULL);
    pthread_create(&t2, NULL, setter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
