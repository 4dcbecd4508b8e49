// selvedge: assertion=safe? race=safe deadlock=safe?
// flags: --timeout 10
// INFINITE: the stack grows without bound.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static int down(int depth)
{
    if (atomic_load(&x) == 2)
        return 0;
    return depth + down(depth);
}

static void *worker(void *unused)
{
    down(0);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    assert(atomic_load(&x) == 2);
    return 0;
}
