/* Peterson's algorithm with two lines swapped: each thread yields the turn before it says that it wants in.
   A classical slip in copying the algorithm. Selvedge finds the schedule in which both are in the critical section. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static int shared;

static void *worker(void *id)
{
    int self = *(int *)id, other = 1 - self;
    atomic_store(&turn, other);
    atomic_store(&wants[self], 1);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
    }
    shared++; // RACE! shared
    atomic_store(&wants[self], 0);
    return NULL;
}

int main(void)
{
    static int ids[2] = {0, 1};
    pthread_t one, two;
    pthread_create(&one, NULL, worker, &ids[0]);
    pthread_create(&two, NULL, worker, &ids[1]);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(shared == 2); // FAIL!
    return 0;
}
