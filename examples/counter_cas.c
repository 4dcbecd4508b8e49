/* A counter without a lock: read, add, and compare-and-swap until nobody came in between.
   After the INC-C benchmark of paper 004. Selvedge proves that no count is lost, whatever the schedule: the swap succeeds
   only on the value that was read. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *worker(void *unused)
{
    int seen = atomic_load(&counter);
    while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1)) {
        /* a failed exchange has put the newer value into `seen` */
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(atomic_load(&counter) == 3);
    return 0;
}
