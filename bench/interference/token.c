/* A token goes round N threads K times; who has it writes the data. BUG: the last thread passes it on too early. */
#include "spawn.h"

static atomic_int turn;
static int data;

static void *work(void *number)
{
    int me = (int)(long)number;
    for (int k = 0; k < K; k++) {
        while (turn != me)
            ;
#ifdef BUG
        if (me == N - 1) {
            turn = 0;
            data++;
            continue;
        }
#endif
        data++;
        turn = (me + 1) % N;
    }
    return NULL;
}

int main(void)
{
    run(work);
    return 0;
}
