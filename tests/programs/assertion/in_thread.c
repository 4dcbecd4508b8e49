// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *setter(void *unused)
{
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return unused;
}

static void *checker(void *unused)
{
    assert(atomic_load(&x) != 3);
    assert(atomic_load(&x) != 1); // FAIL!
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, setter, NULL);
    pthread_create(&t2, NULL, checker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
