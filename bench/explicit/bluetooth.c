/* The Bluetooth driver of paper 003, with one unloading thread and N workers. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifndef N
#define N 2
#endif

static atomic_int pending_io = 1;
static atomic_int stopping_flag, stopping_event;
static int stopped;

static int io_increment(void)
{
    atomic_fetch_add(&pending_io, 1);
    return atomic_load(&stopping_flag) ? -1 : 1;
}

static void io_decrement(void)
{
    if (atomic_fetch_sub(&pending_io, 1) == 1)
        atomic_store(&stopping_event, 1);
}

static void *pnp_stop(void *unused)
{
    atomic_store(&stopping_flag, 1);
    io_decrement();
    while (!atomic_load(&stopping_event)) {
    }
    stopped = 1;
    return unused;
}

static void *pnp_add(void *unused)
{
    if (io_increment() > 0)
        assert(!stopped);
    io_decrement();
    return unused;
}

int main(void)
{
    pthread_t unload, workers[N];
    pthread_create(&unload, NULL, pnp_stop, NULL);
    for (int i = 0; i < N; i++)
        pthread_create(&workers[i], NULL, pnp_add, NULL);
    pthread_join(unload, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(workers[i], NULL);
    return 0;
}
