// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Mutual exclusion in the style of the older benchmarks, with atomics for the flags.
#include <assert.h>
#include <stdatomic.h>

static atomic_int wants_first, wants_second, turn;
static int inside;

static void first(void)
{
    wants_first = 1;
    turn = 1;
    while (wants_second && turn == 1) {
    }
    inside = 1; // NORACE
    assert(inside == 1);
    wants_first = 0;
}

static void second(void)
{
    wants_second = 1;
    turn = 0;
    while (wants_first && turn == 0) {
    }
    inside = 2; // NORACE
    assert(inside == 2);
    wants_second = 0;
}

int main(void)
{
__CPROVER_ASYNC_1:
    first();
    second();
    return 0;
}
