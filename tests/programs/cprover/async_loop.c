// Each round starts a thread with its own number.
#include <assert.h>

static int total, ended;

int main(void)
{
    for (int i = 1; i <= 3; i++) {
    __CPROVER_ASYNC_1: {
            __CPROVER_atomic_begin();
            total += i; // NORACE
            ended++;
            __CPROVER_atomic_end();
        }
    }
    __CPROVER_atomic_begin();
    int sum = ended == 3 ? total : 6;
    __CPROVER_atomic_end();
    assert(sum == 6);
    return 0;
}
