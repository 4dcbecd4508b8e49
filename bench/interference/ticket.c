/* A ticket lock around K increments in each of N threads. BUG: a ticket is drawn in two steps. */
#include "spawn.h"

static atomic_uint next, serving;
static int data;

static void *work(void *unused)
{
    for (int k = 0; k < K; k++) {
#ifdef BUG
        unsigned mine = next;
        next = mine + 1;
#else
        unsigned mine = atomic_fetch_add(&next, 1);
#endif
        while (serving != mine)
            ;
        data++;
        serving = mine + 1;
    }
    return unused;
}

int main(void)
{
    run(work);
    return 0;
}
