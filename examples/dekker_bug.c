/* Dekker's algorithm without the second look: after stepping back and getting the turn, a thread walks in although the other
   may have come back meanwhile. Selvedge shows both in the critical section. */
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
    for (int round = 0; round < 2; round++) {
        atomic_store(&wants[self], 1);
        if (atomic_load(&wants[other])) {
            atomic_store(&wants[self], 0);
            while (atomic_load(&turn) != self && atomic_load(&wants[other])) {
            }
            atomic_store(&wants[self], 1);
        }
        shared++; // RACE! shared
        atomic_store(&turn, other);
        atomic_store(&wants[self], 0);
    }
    return NULL;
}

int main(void)
{
    static int ids[2] = {0, 1};
    pthread_t first, second;
    pthread_create(&first, NULL, worker, &ids[0]);
    pthread_create(&second, NULL, worker, &ids[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(shared == 4); // FAIL!
    return 0;
}
