// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// They detach themselves, and main detaches them too.
#include <pthread.h>
#include <semaphore.h>

static sem_t turn;

static void *worker(void *unused)
{
    pthread_detach(pthread_self()); // MEMORY! joins or detaches what is not a joinable thread
    sem_post(&turn);
    return unused;
}

int main(void)
{
    sem_init(&turn, 0, 1);
    for (;;) {
        pthread_t thread;
        sem_wait(&turn);
        pthread_create(&thread, NULL, worker, NULL);
        pthread_detach(thread); // MEMORY! joins or detaches what is not a joinable thread
    }
}
