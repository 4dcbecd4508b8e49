/* Readers and writers with a counter: the first reader locks the room against writers, the last one opens it again.
   READERS-WR. of paper 004. The room's lock is a semaphore, because it is not always opened by the thread that closed it.
   Selvedge proves that no reader sees a half-made update. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int left, right;
static int readers;
static pthread_mutex_t readers_lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t room;

static void *reader(void *unused)
{
    pthread_mutex_lock(&readers_lock);
    if (++readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&readers_lock);

    assert(left == right); // NORACE

    pthread_mutex_lock(&readers_lock);
    if (--readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&readers_lock);
    return unused;
}

static void *writer(void *unused)
{
    sem_wait(&room);
    left++;  // NORACE
    right++; // NORACE
    sem_post(&room);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    sem_init(&room, 0, 1);
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
