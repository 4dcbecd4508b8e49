// selvedge: race=unsafe
// The handler may run in the other thread.
#include <pthread.h>
#include <signal.h>

static int signals_seen;

static void handler(int number)
{
    signals_seen = 1; // RACE! signals_seen
}

static void *worker(void *unused)
{
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGTERM, handler);
    pthread_create(&thread, 0, worker, 0);
    signals_seen = 0; // RACE! signals_seen
    pthread_join(thread, 0);
    return 0;
}
