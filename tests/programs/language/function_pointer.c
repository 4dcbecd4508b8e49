// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void add(void)
{
    atomic_fetch_add(&x, 1);
}

static void twice(void)
{
    atomic_fetch_add(&x, 2);
}

static void (*_Atomic action)(void) = add;

static void *worker(void *unused)
{
    void (*mine)(void) = atomic_load(&action);
    mine();
    return unused;
}

static void *changer(void *unused)
{
    atomic_store(&action, twice);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, changer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 1 || x == 2);
    assert(x == 1); // FAIL!
    return 0;
}
