/* Starts N threads with their numbers, and joins them. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif
#ifndef K
#define K 2
#endif

static void run(void *(*work)(void *))
{
    pthread_t threads[N];
    for (long i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
}
