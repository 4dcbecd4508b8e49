// Jumps within the statement are jumps as any other.
#include <assert.h>

int main(void)
{
    int limit = 3;
__CPROVER_ASYNC_1: {
        int n = 0;
    again:
        if (n < limit) {
            n++;
            goto again;
        }
        for (int i = 0;; i++)
            if (i == n)
                break;
        assert(n == 3);
    }
    return 0;
}
