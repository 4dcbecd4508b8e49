// selvedge: race=safe
// flags: --no-signals
// As many signals as a program likes may have handlers.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void handle(int number)
{
    (void)number;
}

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
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
