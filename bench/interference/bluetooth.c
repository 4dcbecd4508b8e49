/* The driver that a thread stops while N - 1 others use it, K times each (Qadeer and Wu, PLDI 2004).
   BUG, as in the original: a user looks at the flag before it is counted. */
#include "spawn.h"

static atomic_int users = 1;
static atomic_bool stopping, event, stopped;

static void leave(void)
{
    if (atomic_fetch_sub(&users, 1) == 1)
        event = 1;
}

static void *work(void *number)
{
    if ((long)number == 0) {
        stopping = 1;
        leave();
        while (!event)
            ;
        stopped = 1;
        return NULL;
    }
    for (int k = 0; k < K; k++) {
#ifdef BUG
        if (stopping)
            break;
        atomic_fetch_add(&users, 1);
        assert(!stopped);
        leave();
#else
        atomic_fetch_add(&users, 1);
        if (stopping) {
            leave();
            break;
        }
        assert(!stopped);
        leave();
#endif
    }
    return NULL;
}

int main(void)
{
    run(work);
    return 0;
}
