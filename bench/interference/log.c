/* A log: N threads reserve K entries each with compare and exchange, then fill them. BUG: the reservation does not compare. */
#include "spawn.h"

static atomic_int used;
static int entry[N * K];

static void *work(void *number)
{
    for (int k = 0; k < K; k++) {
        int mine = used;
#ifdef BUG
        used = mine + 1;
#else
        while (!atomic_compare_exchange_strong(&used, &mine, mine + 1))
            ;
#endif
        entry[mine] = (int)(long)number;
    }
    return NULL;
}

int main(void)
{
    run(work);
    return 0;
}
