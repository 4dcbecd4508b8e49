/* The ticket lock of ticket_lock.c drawing its number in two steps. Two threads can draw the same ticket, and both are called.
   Selvedge reports the race on `shared` and a schedule with a lost increment. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next_ticket, now_serving;
static int shared;

static void *worker(void *unused)
{
    unsigned ticket = atomic_load(&next_ticket);
    atomic_store(&next_ticket, ticket + 1);
    while (atomic_load(&now_serving) < ticket) {
    }
    shared++; // RACE! shared
    atomic_store(&now_serving, ticket + 1);
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(shared == 2); // FAIL!
    return 0;
}
