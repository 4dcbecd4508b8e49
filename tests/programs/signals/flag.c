// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// What volatile variables are there for: a handler tells all threads to stop.
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t is_over;

static void handler(int number)
{
    is_over = 1; // NORACE
}

static void *worker(void *unused)
{
    while (!is_over) // NORACE
        ;
    return unused;
}

int main(void)
{
    pthread_t thread;
    signal(SIGTERM, handler);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
