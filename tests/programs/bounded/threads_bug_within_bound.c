// selvedge: assertion=unsafe
// flags: --threads 2
// What goes wrong with two threads is found, however many there are.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int inside;

static void *worker(void *unused)
{
    int others = atomic_fetch_add(&inside, 1);
    assert(others == 0); // FAIL!
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
