// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// What one thread takes, another gives: semaphores have no owner.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t full, empty;
static int slot;

static void *producer(void *unused)
{
    for (int item = 1; item <= 2; item++) {
        sem_wait(&empty);
        slot = item; // NORACE
        sem_post(&full);
    }
    return unused;
}

static void *consumer(void *unused)
{
    for (int expected = 1; expected <= 2; expected++) {
        sem_wait(&full);
        assert(slot == expected); // NORACE
        sem_post(&empty);
    }
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    sem_init(&full, 0, 0);
    sem_init(&empty, 0, 1);
    pthread_create(&t1, NULL, producer, NULL);
    pthread_create(&t2, NULL, consumer, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
