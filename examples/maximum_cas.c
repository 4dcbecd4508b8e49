/* The search of maximum_lock.c with less communication: each thread finds the largest of its own share first, and publishes
   it once, with compare-and-swap. MAXOPT-C of paper 004. Selvedge proves that no element is larger than the result. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2, SHARE = 2 };

static const int elements[THREADS * SHARE] = {3, 7, 9, 5};
static atomic_int maximum;

static void *search(void *share)
{
    const int *mine = share;
    int largest = mine[0];
    for (int i = 1; i < SHARE; i++)
        if (mine[i] > largest)
            largest = mine[i];
    int seen = atomic_load(&maximum);
    while (largest > seen && !atomic_compare_exchange_weak(&maximum, &seen, largest)) {
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, search, (void *)&elements[i * SHARE]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS * SHARE; i++)
        assert(elements[i] <= atomic_load(&maximum));
    return 0;
}
