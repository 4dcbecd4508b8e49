// Within the statement, `&n` is the address of the copy, which lives as long as the thread.
#include <assert.h>

static void worker(int *n)
{
    assert(*n == 1);
    *n = 2; // NORACE
}

static void start(void)
{
    int n = 1;
__CPROVER_ASYNC_1:
    worker(&n);
    n = 3; // NORACE
}

int main(void)
{
    start();
    start();
    return 0;
}
