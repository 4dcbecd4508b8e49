// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The loop never ends, but its states repeat.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int bit;

static void *flipper(void *unused)
{
    for (;;)
        atomic_fetch_xor(&bit, 1);
    return unused;
}

static void *observer(void *unused)
{
    for (;;)
        assert(atomic_load(&bit) <= 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, flipper, NULL);
    pthread_create(&t2, NULL, observer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
