/* The generator of prng_lock.c without a lock: compute the next seed, and swap it in if the old one is still there.
   PRNG-C of paper 004, which its tool could not prove for four threads. Selvedge proves that no two callers draw the same. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint seed = 1;
static unsigned drawn[2];

static unsigned next_random(void)
{
    unsigned old = atomic_load(&seed), next;
    do {
        next = (5 * old + 3) % 8;
    } while (!atomic_compare_exchange_strong(&seed, &old, next));
    return next;
}

static void *worker(void *slot)
{
    *(unsigned *)slot = next_random();
    return NULL;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, &drawn[0]);
    pthread_create(&second, NULL, worker, &drawn[1]);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(drawn[0] != drawn[1]);
    return 0;
}
