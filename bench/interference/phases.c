/* N threads in K phases: each writes its own place, waits for all, reads its neighbour's, waits again.
   BUG: the second wait is missing. */
#include "spawn.h"

static int place[N];
static pthread_barrier_t barrier;

static void *work(void *number)
{
    int me = (int)(long)number;
    for (int k = 0; k < K; k++) {
        place[me] = k;
        pthread_barrier_wait(&barrier);
        assert(place[(me + 1) % N] == k);
#ifndef BUG
        pthread_barrier_wait(&barrier);
#endif
    }
    return NULL;
}

int main(void)
{
    pthread_barrier_init(&barrier, NULL, N);
    run(work);
    return 0;
}
