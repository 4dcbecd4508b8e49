/* A generator with a plain seed and no lock, as `rand` is in many libraries: two threads can draw the same number.
   The broken twin of prng_lock.c. Selvedge reports the race on `seed` and the schedule with the repeated number. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static unsigned seed = 1;
static unsigned drawn[2];

static unsigned next_random(void)
{
    unsigned next = (5 * seed + 3) % 8; // RACE! seed
    seed = next;                        // RACE! seed
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
    assert(drawn[0] != drawn[1]); // FAIL!
    return 0;
}
