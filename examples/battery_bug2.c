/* The unloading thread of battery.c does not wait for the worker to let go of the device before it frees it.
   The known error of paper 003's battery driver. Selvedge reports each use of freed memory, with the schedule. */
// selvedge: deadlock=safe memory=unsafe
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct device {
    atomic_int want_to_remove, in_use;
};

static struct device *device;
static sem_t queued_workers;

static void *unload(void *unused)
{
    atomic_store(&device->want_to_remove, 1);
    atomic_fetch_sub(&device->in_use, 1);
    free(device);
    return unused;
}

static void *worker(void *unused)
{
    sem_wait(&queued_workers);
    if (!atomic_load(&device->want_to_remove)) // MEMORY! accesses memory that has been freed
        atomic_fetch_add(&device->in_use, 1);  // MEMORY! accesses memory that has been freed
    atomic_fetch_sub(&device->in_use, 1);      // MEMORY! accesses memory that has been freed
    return unused;
}

int main(void)
{
    pthread_t unloading, working;
    device = calloc(1, sizeof *device);
    atomic_store(&device->in_use, 2);
    sem_init(&queued_workers, 0, 1);
    pthread_create(&working, NULL, worker, NULL);
    pthread_create(&unloading, NULL, unload, NULL);
    pthread_join(unloading, NULL);
    pthread_join(working, NULL);
    return 0;
}
