// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Eight bytes are written as one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_llong wide;

static void *writer(void *unused)
{
    atomic_store(&wide, 0x100000001ll);
    return unused;
}

static void *reader(void *unused)
{
    long long seen = atomic_load(&wide);
    assert(seen == 0 || seen == 0x100000001ll);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, writer, NULL);
    pthread_create(&t2, NULL, reader, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
