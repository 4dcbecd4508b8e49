// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static union {
    int whole;
    char bytes[4];
} u;

static void *first(void *unused)
{
    u.bytes[0] = 1; // NORACE
    return unused;
}

static void *second(void *unused)
{
    u.bytes[3] = 1; // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(u.whole == 0x01000001);
    return 0;
}
