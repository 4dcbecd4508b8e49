/* Two lines of battery.c swapped: the unloading thread announces itself to the worker before it says that it wants to remove.
   A worker that has not seen the wish counts itself out and goes to sleep, and nobody ever allows the removal.
   A variant of paper 003's battery driver; Selvedge reports the deadlock, with where each thread waits. */
// selvedge: race=safe deadlock=unsafe memory=safe
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct device {
    atomic_int worker_active, want_to_remove, in_use;
};

static struct device *device;
static sem_t queued_workers, ready_to_remove;

static void drop(void)
{
    if (atomic_fetch_sub(&device->in_use, 1) == 1)
        sem_post(&ready_to_remove);
}

static void *unload(void *unused)
{
    int active = atomic_fetch_add(&device->worker_active, 1);
    atomic_store(&device->want_to_remove, 1);
    if (active == 0)
        drop();
    drop();
    sem_wait(&ready_to_remove); // DEADLOCK!
    free(device);
    return unused;
}

static void *worker(void *unused)
{
    for (;;) {
        sem_wait(&queued_workers); // DEADLOCK!
        int active;
        do {
            if (atomic_load(&device->want_to_remove)) {
                drop();
                return unused;
            }
            active = atomic_fetch_sub(&device->worker_active, 1) - 1;
        } while (active != 0);
    }
}

int main(void)
{
    pthread_t unloading, working;
    device = calloc(1, sizeof *device);
    atomic_store(&device->in_use, 2);
    atomic_store(&device->worker_active, 1);
    sem_init(&queued_workers, 0, 1);
    sem_init(&ready_to_remove, 0, 0);
    pthread_create(&working, NULL, worker, NULL);
    pthread_create(&unloading, NULL, unload, NULL);
    pthread_join(unloading, NULL); // DEADLOCK!
    return 0;
}
