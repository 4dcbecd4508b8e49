/* Dining philosophers: everyone takes the left fork, then waits for the right one. If all are quick with the left, all starve.
   Selvedge reports the deadlock: which thread holds which fork, and what it waits for. */
// selvedge: assertion=safe race=safe deadlock=unsafe memory=safe
#include <assert.h>
#include <pthread.h>

enum { PHILOSOPHERS = 3 };

static pthread_mutex_t forks[PHILOSOPHERS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                              PTHREAD_MUTEX_INITIALIZER};
static int meals[PHILOSOPHERS];

static void *philosopher(void *id)
{
    int left = *(int *)id, right = (left + 1) % PHILOSOPHERS;
    pthread_mutex_lock(&forks[left]);
    pthread_mutex_lock(&forks[right]); // DEADLOCK!
    meals[left]++;
    pthread_mutex_unlock(&forks[right]);
    pthread_mutex_unlock(&forks[left]);
    return NULL;
}

int main(void)
{
    static int ids[PHILOSOPHERS] = {0, 1, 2};
    pthread_t threads[PHILOSOPHERS];
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&threads[i], NULL, philosopher, &ids[i]);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(threads[i], NULL); // DEADLOCK!
    assert(meals[0] + meals[1] + meals[2] == PHILOSOPHERS);
    return 0;
}
