/* Readers and writers as in readers_writers.c, but the room's lock is a mutex. It mostly works, and is undefined: the last
   reader to leave unlocks what the first reader had locked. A mutex belongs to the thread that locked it.
   Selvedge reports the unlock, with a schedule in which the two readers overlap. */
// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <assert.h>
#include <pthread.h>

static int left, right;
static int readers;
static pthread_mutex_t readers_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t room = PTHREAD_MUTEX_INITIALIZER;

static void *reader(void *unused)
{
    pthread_mutex_lock(&readers_lock);
    if (++readers == 1)
        pthread_mutex_lock(&room);
    pthread_mutex_unlock(&readers_lock);

    assert(left == right);

    pthread_mutex_lock(&readers_lock);
    if (--readers == 0)
        pthread_mutex_unlock(&room); // MEMORY! unlocks what this thread does not hold
    pthread_mutex_unlock(&readers_lock);
    return unused;
}

static void *writer(void *unused)
{
    pthread_mutex_lock(&room);
    left++;
    right++;
    pthread_mutex_unlock(&room);
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, reader, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
