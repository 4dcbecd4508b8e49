// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads, a count of 32 bits
// Whoever comes late counts up from nothing, and cleans up once more.
#include <pthread.h>
#include <stdatomic.h>

atomic_uint users = 1;
unsigned resource;

static int get(void)
{
    unsigned n = atomic_load(&users);
    for (;;)
        if (atomic_compare_exchange_strong(&users, &n, n + 1))
            return 1;
}

static void put(void)
{
    if (atomic_fetch_sub(&users, 1) == 1)
        resource = 0; // RACE! resource
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
