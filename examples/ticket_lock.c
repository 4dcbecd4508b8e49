/* A ticket lock: draw a number, wait until it is called. Fair, and for any number of threads; TICKET-L of paper 004.
   Selvedge proves mutual exclusion: no two threads hold the same ticket, and `now_serving` moves only from inside. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int shared;

static void *worker(void *unused)
{
    unsigned ticket = atomic_fetch_add(&next_ticket, 1);
    while (atomic_load(&now_serving) != ticket) {
    }
    shared++; // NORACE
    atomic_store(&now_serving, ticket + 1);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(shared == 3);
    return 0;
}
