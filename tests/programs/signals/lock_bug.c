// selvedge: deadlock=unsafe
// A handler that waits for what the thread holds that it interrupts.
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void handler(int number)
{
    pthread_mutex_lock(&lock); // DEADLOCK!
    pthread_mutex_unlock(&lock);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler};
    sigaction(SIGTERM, &action, 0);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
