/* A half-made fix of the Bluetooth driver: a worker that comes too late is counted out twice, once by the function that
   turns it away and once by its caller. The second count stands for another worker, who is still inside.
   It takes two workers and the unloading thread to go wrong; Selvedge shows how. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int pending_io = 1;
static atomic_int stopping_flag, stopping_event;
static int stopped;

static void io_decrement(void)
{
    if (atomic_fetch_sub(&pending_io, 1) == 1)
        atomic_store(&stopping_event, 1);
}

static int io_increment(void)
{
    atomic_fetch_add(&pending_io, 1);
    if (atomic_load(&stopping_flag)) {
        io_decrement();
        return -1;
    }
    return 1;
}

static void *pnp_stop(void *unused)
{
    atomic_store(&stopping_flag, 1);
    io_decrement();
    while (!atomic_load(&stopping_event)) {
    }
    stopped = 1; // RACE! stopped
    return unused;
}

static void *pnp_add(void *unused)
{
    if (io_increment() > 0)
        assert(!stopped); // RACE! stopped FAIL!
    io_decrement();
    return unused;
}

int main(void)
{
    pthread_t unload, workers[2];
    pthread_create(&unload, NULL, pnp_stop, NULL);
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, pnp_add, NULL);
    pthread_join(unload, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    return 0;
}
