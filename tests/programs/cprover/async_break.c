// selvedge: assertion=unknown
#include <assert.h>

int x;

int main(void)
{
    for (;;) {
        x++;
    __CPROVER_ASYNC_1: {
            if (x)
                break; // UNKNOWN! `break`
        }
        if (x == 2)
            break;
    }
    assert(x == 2);
    return 0;
}
