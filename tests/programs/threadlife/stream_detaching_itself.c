// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Threads without end that detach themselves, one at work at a time.
#include <pthread.h>
#include <semaphore.h>

static sem_t turn;
static int on;

static void *toggle(void *unused)
{
    pthread_detach(pthread_self());
    on = !on; // NORACE
    sem_post(&turn);
    return unused;
}

int main(void)
{
    sem_init(&turn, 0, 1);
    for (;;) {
        pthread_t thread;
        sem_wait(&turn);
        pthread_create(&thread, NULL, toggle, NULL);
    }
}
