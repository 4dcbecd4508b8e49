/* The Bluetooth driver as it once was: a worker looks whether the driver is stopping before it counts itself in.
   Between the two, the unloading thread can count down to zero and release everything.
   Selvedge reports the race on `stopped` and the failing assertion, each with the schedule; the fix is in bluetooth.c. */
// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int pending_io = 1;
static atomic_int stopping_flag, stopping_event;
static int stopped;

static int io_increment(void)
{
    if (atomic_load(&stopping_flag))
        return -1;
    atomic_fetch_add(&pending_io, 1);
    return 1;
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
    stopped = 1; // RACE! stopped
    return unused;
}

static void *pnp_add(void *unused)
{
    if (io_increment() > 0) {
        assert(!stopped); // RACE! stopped FAIL!
        io_decrement();
    }
    return unused;
}

int main(void)
{
    pthread_t unload, worker;
    pthread_create(&unload, NULL, pnp_stop, NULL);
    pthread_create(&worker, NULL, pnp_add, NULL);
    pthread_join(unload, NULL);
    pthread_join(worker, NULL);
    return 0;
}
