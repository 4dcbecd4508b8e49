// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <threads.h>

static int x;

static int worker(void *unused)
{
    (void)unused;
    x++; // RACE! x
    return 0;
}

int main(void)
{
    thrd_t first, second;
    thrd_create(&first, worker, NULL);
    thrd_create(&second, worker, NULL);
    thrd_join(first, NULL);
    thrd_join(second, NULL);
    assert(x == 2); // FAIL!
    return 0;
}
