// selvedge: assertion=unknown
// Control cannot pass from the thread to the function that started it.
#include <assert.h>

int x;

int main(void)
{
    x = 1;
__CPROVER_ASYNC_1: {
        if (x)
            return 1; // UNKNOWN! asynchronous
        x = 2;
    }
    assert(x < 3);
    return 0;
}
