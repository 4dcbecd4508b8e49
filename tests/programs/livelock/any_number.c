// selvedge: livelock=unknown
// flags: --property livelock
// Too many answers to follow: nothing is claimed.
#include <pthread.h>
#include <stdatomic.h>

unsigned __VERIFIER_nondet_uint(void);

atomic_int ready;

void *worker(void *arg)
{
    unsigned seen = 0;
    while (seen % 1000 != 999) // UNKNOWN!
        seen = __VERIFIER_nondet_uint(); // UNKNOWN!
    return 0;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, worker, 0);
    pthread_join(t, 0); // UNKNOWN!
    return 0;
}
