// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <threads.h>

static thrd_t seen;

static int worker(void *unused)
{
    (void)unused;
    seen = thrd_current();
    return 0;
}

int main(void)
{
    thrd_t thread;
    thrd_create(&thread, worker, NULL);
    thrd_join(thread, NULL);
    assert(thrd_equal(seen, thread));
    assert(!thrd_equal(seen, thrd_current()));
    return 0;
}
