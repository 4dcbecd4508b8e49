// selvedge: race=unsafe
// flags: --property race --timeout 20
// The race comes before the call of which only the range is known.
#include <math.h>
#include <pthread.h>

static double level = 2;
static int rounds;

static void *worker(void *unused)
{
    rounds++; // RACE! rounds
    level = pow(level, 1.5); // RACE! level
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    return 0;
}
