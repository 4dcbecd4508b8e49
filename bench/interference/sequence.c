/* A sequence lock: one writer of two fields, N - 1 readers, K times each. BUG: the writer counts once only. */
#include "spawn.h"

static atomic_uint count;
static atomic_int a, b;

static void *work(void *number)
{
    for (int k = 1; k <= K; k++) {
        if ((long)number == 0) {
            count++;
            a = k;
            b = k;
#ifndef BUG
            count++;
#endif
            continue;
        }
        unsigned before = count;
        int x = a, y = b;
#ifdef BUG
        if (before == count)
#else
        if (before % 2 == 0 && before == count)
#endif
            assert(x == y);
    }
    return NULL;
}

int main(void)
{
    run(work);
    return 0;
}
