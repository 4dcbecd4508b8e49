// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// Waiting long enough proves nothing.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static int x;

static void *worker(void *unused)
{
    x = 1; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    sleep(1);
    usleep(1000);
    sched_yield();
    assert(x == 1); // RACE! x FAIL!
    pthread_join(thread, NULL);
    return 0;
}
