// selvedge: race=unsafe
// flags: --no-signals
// The same as many.c, without the lock.
#include <pthread.h>
#include <signal.h>

static int counter;

static void handle(int number)
{
    (void)number;
}

static void *worker(void *unused)
{
    counter++; // RACE! counter
    return unused;
}

int main(void)
{
    for (int number = 1; number < 32; number++)
        signal(number, handle);
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
