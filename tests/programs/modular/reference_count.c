// selvedge: race=safe
// flags: --property race --engine modular --timeout 120
// INFINITE: any number of threads, a count of 32 bits
// A count of users, taken and given back one by one: the last one cleans up, and nobody comes after. A user who would
// make the count wrap around is turned away.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_uint users = 1;
unsigned resource;

static int get(void)
{
    unsigned n = atomic_load(&users);
    while (n != 0 && n != UINT_MAX)
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
