// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint bits = 0x0f;

static void *first(void *unused)
{
    atomic_fetch_or(&bits, 0x30u);
    return unused;
}

static void *second(void *unused)
{
    atomic_fetch_and(&bits, ~1u);
    return unused;
}

static void *third(void *unused)
{
    atomic_fetch_xor(&bits, 0x80u);
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
    assert(bits == 0xbe);
    return 0;
}
