/* Atomic operations do not make an atomic algorithm: the new value is computed from a second look at the counter.
   The swap checks the first look, so it can put back a sum that another thread has made stale in between.
   Selvedge finds no data race (every access is atomic) but a schedule in which the assertion fails. */
// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *worker(void *unused)
{
    for (;;) {
        int sum = atomic_load(&counter) + 1;
        int seen = atomic_load(&counter);
        if (atomic_compare_exchange_strong(&counter, &seen, sum))
            return unused;
    }
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(atomic_load(&counter) == 2); // FAIL!
    return 0;
}
