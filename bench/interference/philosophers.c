/* N philosophers eat K times. BUG: all of them take the left fork first. */
#include "spawn.h"

static pthread_mutex_t fork[N];
static int meals[N];

static void *philosopher(void *number)
{
    int left = (int)(long)number, right = (left + 1) % N;
#ifndef BUG
    if (left > right) {
        int swapped = left;
        left = right;
        right = swapped;
    }
#endif
    for (int k = 0; k < K; k++) {
        pthread_mutex_lock(&fork[left]);
        pthread_mutex_lock(&fork[right]);
        meals[left]++;
        pthread_mutex_unlock(&fork[right]);
        pthread_mutex_unlock(&fork[left]);
    }
    return NULL;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        pthread_mutex_init(&fork[i], NULL);
    run(philosopher);
    return 0;
}
