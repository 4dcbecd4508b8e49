// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// A signal that is blocked interrupts nobody, nor a thread that begins with the mask of its creator.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t has_run;

static void handler(int number)
{
    has_run = 1;
}

static void *worker(void *unused)
{
    assert(!has_run);
    return unused;
}

int main(void)
{
    sigset_t set;
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    signal(SIGTERM, handler);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(!has_run);
    return 0;
}
