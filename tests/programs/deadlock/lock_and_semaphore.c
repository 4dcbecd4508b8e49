// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
// Waiting for a semaphore with the lock in hand that the poster needs.
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t event;

static void *waiter(void *unused)
{
    pthread_mutex_lock(&lock);
    sem_wait(&event); // DEADLOCK!
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *poster(void *unused)
{
    pthread_mutex_lock(&lock); // DEADLOCK!
    sem_post(&event);
    pthread_mutex_unlock(&lock);
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
