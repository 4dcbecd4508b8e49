// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int last;

static void *first(void *unused)
{
    atomic_store(&last, 1);
    return unused;
}

static void *second(void *unused)
{
    atomic_store(&last, 2);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(last != 0);
    assert(last == 2); // FAIL!
    return 0;
}
