/* Unloading a battery driver while its worker may still run. `in_use` counts who holds the device; whoever counts it down to
   zero allows the removal. Figure 6 of paper 003, with the device on the heap, so that `stopped` is a real free().
   Selvedge proves that the worker never touches freed memory, whether or not there is work to do. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

struct device {
    atomic_int worker_active, want_to_remove, in_use;
};

static struct device *device;
static sem_t queued_workers, ready_to_remove;
static atomic_int work_to_do;

static void drop(void)
{
    if (atomic_fetch_sub(&device->in_use, 1) == 1)
        sem_post(&ready_to_remove);
}

static void *unload(void *unused)
{
    atomic_store(&device->want_to_remove, 1);
    if (atomic_fetch_add(&device->worker_active, 1) == 0) {
        if (atomic_load(&work_to_do))
            sem_post(&queued_workers);
        else
            drop();
    }
    drop();
    sem_wait(&ready_to_remove);
    free(device);
    return unused;
}

static void *worker(void *unused)
{
    sem_wait(&queued_workers);
    for (;;) {
        if (atomic_load(&device->want_to_remove)) {
            drop();
            return unused;
        }
        if (atomic_load(&work_to_do)) {
            atomic_fetch_add(&device->in_use, 1);
            atomic_fetch_sub(&device->in_use, 1);
        }
        int active = atomic_fetch_sub(&device->worker_active, 1) - 1;
        if (active == 0) {
            sem_wait(&queued_workers);
        } else if (active != 1) {
            atomic_store(&device->worker_active, 1);
        }
    }
}

static void *environment(void *unused)
{
    atomic_store(&work_to_do, 1);
    return unused;
}

int main(void)
{
    pthread_t unloading, working, changing;
    device = calloc(1, sizeof *device);
    atomic_store(&device->in_use, 2);
    atomic_store(&device->worker_active, 1);
    sem_init(&queued_workers, 0, 1);
    sem_init(&ready_to_remove, 0, 0);
    pthread_create(&working, NULL, worker, NULL);
    pthread_create(&changing, NULL, environment, NULL);
    pthread_create(&unloading, NULL, unload, NULL);
    pthread_join(unloading, NULL);
    return 0; /* a worker that was not needed any more ends with the process */
}
