/* Threads search an array for its largest element together; each compares and updates the maximum under a lock.
   MAXSIMP-L of paper 004. Selvedge proves that no element is larger than the result in the end. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

enum { THREADS = 2, SHARE = 2 };

static const int elements[THREADS * SHARE] = {3, 7, 9, 5};
static int maximum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *search(void *share)
{
    const int *mine = share;
    for (int i = 0; i < SHARE; i++) {
        pthread_mutex_lock(&lock);
        if (mine[i] > maximum)
            maximum = mine[i];
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, search, (void *)&elements[i * SHARE]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS * SHARE; i++)
        assert(elements[i] <= maximum);
    return 0;
}
