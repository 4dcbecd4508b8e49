// selvedge: assertion=bounded race=bounded deadlock=safe memory=bounded
// flags: --threads 2
// Threads are started for ever; two of them at most are looked at.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int inside;

static void *worker(void *unused)
{
    atomic_fetch_add(&inside, 1);
    assert(atomic_load(&inside) >= 1);
    atomic_fetch_sub(&inside, 1);
    return unused;
}

int main(void)
{
    for (;;) {
        pthread_t thread;
        pthread_create(&thread, NULL, worker, NULL);
        pthread_detach(thread);
    }
}
