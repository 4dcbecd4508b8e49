/* A stack without locks: N threads push a node of their own with compare and exchange, K times.
   BUG: the head is written without comparing. */
#include "spawn.h"

static int below[N * K + 1];
static atomic_int head;

static void *work(void *number)
{
    for (int k = 0; k < K; k++) {
        int node = (int)(long)number * K + k + 1;
        int seen = head;
#ifdef BUG
        below[node] = seen;
        head = node;
#else
        do
            below[node] = seen;
        while (!atomic_compare_exchange_strong(&head, &seen, node));
#endif
    }
    return NULL;
}

int main(void)
{
    run(work);
    int count = 0;
    for (int node = head; node != 0; node = below[node])
        count++;
    assert(count == N * K);
    return 0;
}
