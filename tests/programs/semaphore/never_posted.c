// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
#include <pthread.h>
#include <semaphore.h>

static sem_t event;

static void *waiter(void *unused)
{
    sem_wait(&event);
    sem_wait(&event); // DEADLOCK!
    return unused;
}

static void *poster(void *unused)
{
    sem_post(&event);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    sem_init(&event, 0, 0);
    pthread_create(&t1, NULL, waiter, NULL);
    pthread_create(&t2, NULL, poster, NULL);
    pthread_join(t1, NULL); // DEADLOCK!
    pthread_join(t2, NULL);
    return 0;
}
