/* K values go through N stages, each of which waits for the one before. BUG: the last stage does not wait. */
#include "spawn.h"

static sem_t turn[N + 1];
static int value, stage[N];

static void *work(void *number)
{
    int me = (int)(long)number;
    for (int k = 0; k < K; k++) {
#ifdef BUG
        if (me != N - 1)
#endif
        sem_wait(&turn[me]);
        value = value + 1;
        stage[me] = value;
        sem_post(&turn[(me + 1) % N]);
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        sem_init(&turn[i], 0, i == 0);
    run(work);
    return 0;
}
