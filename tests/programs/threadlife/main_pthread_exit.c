// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// pthread_exit in main leaves the others running.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *first(void *unused)
{
    atomic_store(&x, 1);
    return unused;
}

static void *second(void *unused)
{
    while (!atomic_load(&x)) {
    }
    assert(atomic_load(&x) == 2); // FAIL!
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, first, NULL);
    pthread_create(&t2, NULL, second, NULL);
    pthread_exit(NULL);
}
