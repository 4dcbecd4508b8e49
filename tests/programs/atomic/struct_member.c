// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// An atomic member next to a plain one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static struct {
    atomic_int count;
    int plain;
} s;

static void *counter(void *unused)
{
    atomic_fetch_add(&s.count, 1);
    return unused;
}

static void *writer(void *unused)
{
    s.plain = 3; // NORACE
    atomic_fetch_add(&s.count, 1);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, counter, NULL);
    pthread_create(&t2, NULL, writer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(s.count == 2 && s.plain == 3);
    return 0;
}
