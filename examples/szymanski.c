/* Szymanski's algorithm: a waiting room with two doors. The last to come in closes the door behind the group, then they
   leave one by one. In the benchmarks of paper 004. Selvedge proves mutual exclusion for two threads. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { OUTSIDE, KNOCKING, WAITING_FOR_OTHERS, IN_DOORWAY, DOOR_CLOSED };

static atomic_int place[2];
static int shared;

static void *worker(void *id)
{
    int self = *(int *)id, other = 1 - self;
    atomic_store(&place[self], KNOCKING);
    while (atomic_load(&place[other]) >= IN_DOORWAY) {
    }
    atomic_store(&place[self], IN_DOORWAY);
    if (atomic_load(&place[other]) == KNOCKING) {
        atomic_store(&place[self], WAITING_FOR_OTHERS);
        while (atomic_load(&place[other]) != DOOR_CLOSED) {
        }
    }
    atomic_store(&place[self], DOOR_CLOSED);
    if (self == 1) {
        while (atomic_load(&place[other]) >= WAITING_FOR_OTHERS) {
        }
    }
    shared++; // NORACE
    if (self == 0) {
        int there;
        do {
            there = atomic_load(&place[other]);
        } while (there == WAITING_FOR_OTHERS || there == IN_DOORWAY);
    }
    atomic_store(&place[self], OUTSIDE);
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
    assert(shared == 2);
    return 0;
}
