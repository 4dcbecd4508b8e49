// selvedge: assertion=unknown
// Control cannot pass from the thread to the function that started it.
#include <assert.h>

int x;

int main(void)
{
    x = 0;
__CPROVER_ASYNC_1: {
        if (x == 0)
            goto end;
        x = 2;
    }
    assert(x < 3);
end: // UNKNOWN! asynchronous
    return 0;
}
