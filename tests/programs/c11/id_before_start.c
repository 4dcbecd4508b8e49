// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// flags: --late-thread-id
// The completion of `thrd_create` synchronises with the start of the thread, so the identity is there, whatever POSIX says.
#include <assert.h>
#include <threads.h>

thrd_t t;

int run(void *arg)
{
    assert(thrd_equal(t, thrd_current())); // NORACE
    return 0;
}

int main(void)
{
    thrd_create(&t, run, 0);
    thrd_join(t, 0);
    return 0;
}
