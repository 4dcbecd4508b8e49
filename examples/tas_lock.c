/* A test-and-set lock: swap in a 1 until a 0 comes out. The TAS-L benchmark of paper 004, for any number of threads.
   Selvedge proves that `shared` does not race and that every increment counts. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int shared;

static void lock(void)
{
    while (atomic_exchange(&taken, 1)) {
    }
}

static void unlock(void)
{
    atomic_store(&taken, 0);
}

static void *worker(void *unused)
{
    lock();
    shared++; // NORACE
    unlock();
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(shared == 3);
    return 0;
}
