/* A pseudo-random number generator shared by threads, its seed under a lock. PRNG-L of paper 004, from a textbook.
   The generator walks through all eight numbers before it repeats one, so no two callers may get the same.
   Selvedge proves that they do not. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static unsigned seed = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned drawn[2];

static unsigned next_random(void)
{
    pthread_mutex_lock(&lock);
    seed = (5 * seed + 3) % 8;
    unsigned result = seed;
    pthread_mutex_unlock(&lock);
    return result;
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
    assert(drawn[0] < 8 && drawn[1] < 8);
    assert(drawn[0] != drawn[1]);
    return 0;
}
