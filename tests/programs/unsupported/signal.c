// selvedge: race=unknown deadlock=unknown memory=unknown
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t stopped;

static void handler(int number)
{
    stopped = number;
}

static void *worker(void *unused)
{
    signal(SIGINT, handler); // UNKNOWN! signal
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
