// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <threads.h>

static once_flag control = ONCE_FLAG_INIT;
static int runs;

static void initialise(void)
{
    runs++; // NORACE
}

static int worker(void *unused)
{
    (void)unused;
    call_once(&control, initialise);
    assert(runs == 1); // NORACE
    return 0;
}

int main(void)
{
    thrd_t first, second;
    thrd_create(&first, worker, NULL);
    thrd_create(&second, worker, NULL);
    thrd_join(first, NULL);
    thrd_join(second, NULL);
    return 0;
}
