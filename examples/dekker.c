/* Dekker's algorithm, the first mutual exclusion from loads and stores alone: who does not have the turn steps back.
   In the benchmarks of paper 004. Selvedge proves mutual exclusion as the absence of races on `shared`. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static int shared;

static void *worker(void *id)
{
    int self = *(int *)id, other = 1 - self;
    atomic_store(&wants[self], 1);
    while (atomic_load(&wants[other])) {
        if (atomic_load(&turn) != self) {
            atomic_store(&wants[self], 0);
            while (atomic_load(&turn) != self) {
            }
            atomic_store(&wants[self], 1);
        }
    }
    shared++; // NORACE
    atomic_store(&turn, other);
    atomic_store(&wants[self], 0);
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
