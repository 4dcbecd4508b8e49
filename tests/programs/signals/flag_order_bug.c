// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Handlers that only set flags run between any two accesses of the flags all the same: before a disposition changes, in
// whatever thread, and in either order.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t last, seen;

static void on_term(int number)
{
    last = 1;
}

static void on_int(int number)
{
    last = 2;
}

static void *worker(void *unused)
{
    seen = last;
    assert(seen != 1); // FAIL!
    assert(seen != 2); // FAIL!
    return unused;
}

int main(void)
{
    pthread_t thread;
    assert(last == 0);
    signal(SIGTERM, on_term);
    signal(SIGTERM, SIG_DFL);
    assert(last != 1); // FAIL!
    last = 0;
    assert(last == 0);
    signal(SIGTERM, on_term);
    signal(SIGINT, on_int);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(last == last); // FAIL!
    return 0;
}
