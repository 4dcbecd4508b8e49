// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
#include <pthread.h>
#include <semaphore.h>

static sem_t event;

static void *poster(void *unused)
{
    sem_post(&event); // RACE! event, MEMORY! uses a synchronisation object that has been destroyed
    return unused;
}

int main(void)
{
    pthread_t thread;
    sem_init(&event, 0, 0);
    pthread_create(&thread, NULL, poster, NULL);
    sem_destroy(&event); // RACE! event
    pthread_join(thread, NULL);
    return 0;
}
