/* Lamport's bakery: take a number larger than all you see, then wait for everyone with a smaller one. In paper 004's
   benchmarks. Taking a number is not atomic, so two threads may hold the same; `choosing` and the order of ids settle it.
   Selvedge proves mutual exclusion. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2 };

static atomic_int choosing[THREADS], number[THREADS];
static int shared;

static void lock(int self)
{
    atomic_store(&choosing[self], 1);
    int largest = 0;
    for (int i = 0; i < THREADS; i++) {
        int seen = atomic_load(&number[i]);
        if (seen > largest)
            largest = seen;
    }
    atomic_store(&number[self], largest + 1);
    atomic_store(&choosing[self], 0);
    for (int i = 0; i < THREADS; i++) {
        if (i == self)
            continue;
        while (atomic_load(&choosing[i])) {
        }
        for (;;) {
            int theirs = atomic_load(&number[i]);
            if (theirs == 0 || theirs > largest + 1 || (theirs == largest + 1 && i > self))
                break;
        }
    }
}

static void *worker(void *id)
{
    int self = *(int *)id;
    lock(self);
    shared++; // NORACE
    atomic_store(&number[self], 0);
    return NULL;
}

int main(void)
{
    static int ids[THREADS] = {0, 1};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, &ids[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    assert(shared == THREADS);
    return 0;
}
