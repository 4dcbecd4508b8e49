// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// The twin: one thread lets the signal through, and then the others see what its handler did; and in the end it is not
// blocked any more.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t has_run;
static sigset_t set;

static void handler(int number)
{
    has_run = 1;
}

static void *worker(void *unused)
{
    pthread_sigmask(SIG_UNBLOCK, &set, 0);
    return unused;
}

int main(void)
{
    pthread_t thread;
    sigset_t old;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, &old);
    signal(SIGTERM, handler);
    assert(!has_run);
    pthread_create(&thread, 0, worker, 0);
    assert(!has_run); // FAIL!
    pthread_join(thread, 0);
    has_run = 0;
    assert(!has_run);
    sigprocmask(SIG_SETMASK, &old, 0);
    assert(!has_run); // FAIL!
    return 0;
}
