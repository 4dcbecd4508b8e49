/* Dining philosophers, repaired: everyone takes the fork with the smaller number first, so nobody can wait in a circle.
   Selvedge proves that there is no deadlock. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

enum { PHILOSOPHERS = 3 };

static pthread_mutex_t forks[PHILOSOPHERS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                              PTHREAD_MUTEX_INITIALIZER};
static int meals[PHILOSOPHERS];

static void *philosopher(void *id)
{
    int left = *(int *)id, right = (left + 1) % PHILOSOPHERS;
    int first = left < right ? left : right, second = left + right - first;
    pthread_mutex_lock(&forks[first]);
    pthread_mutex_lock(&forks[second]);
    meals[left]++;
    pthread_mutex_unlock(&forks[second]);
    pthread_mutex_unlock(&forks[first]);
    return NULL;
}

int main(void)
{
    static int ids[PHILOSOPHERS] = {0, 1, 2};
    pthread_t threads[PHILOSOPHERS];
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&threads[i], NULL, philosopher, &ids[i]);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(threads[i], NULL);
    assert(meals[0] + meals[1] + meals[2] == PHILOSOPHERS);
    return 0;
}
