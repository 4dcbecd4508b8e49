// selvedge: race=unsafe?
// flags: --property race --timeout 3
// INFINITE: any number of threads, a count of 32 bits
// As many users as the count has values, and one more: the count says one, and the next one to leave takes himself for
// the last. No proof may say that this is safe; a schedule that shows it has 2^32 threads.
#include <pthread.h>
#include <stdatomic.h>

atomic_uint users = 1;
unsigned resource;

static int get(void)
{
    unsigned n = atomic_load(&users);
    while (n != 0)
        if (atomic_compare_exchange_strong(&users, &n, n + 1))
            return 1;
    return 0;
}

static void put(void)
{
    if (atomic_fetch_sub(&users, 1) == 1)
        resource = 0;
}

void *worker(void *arg)
{
    if (get())
        put();
    return 0;
}

void *owner(void *arg)
{
    put();
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, owner, 0);
    for (;;)
        pthread_create(&t, 0, worker, 0);
}
