/* QRCU, a read-copy-update from the Linux kernel (paper 004's QRCU-3): readers count themselves into one of two counters, the
   updater flips between them and waits for the old one to drain. Counting in fails on a counter that has drained.
   Selvedge proves that a reader never looks at a version that the updater has reclaimed. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int readers[2] = {1, 0};
static atomic_int completed;
static atomic_int current;
static atomic_int reclaimed[3];

static int read_lock(void)
{
    for (;;) {
        int index = atomic_load(&completed) & 1;
        int count = atomic_load(&readers[index]);
        while (count != 0)
            if (atomic_compare_exchange_strong(&readers[index], &count, count + 1))
                return index;
    }
}

static void read_unlock(int index)
{
    atomic_fetch_sub(&readers[index], 1);
}

static void synchronize(void)
{
    int index = atomic_load(&completed) & 1;
    if (atomic_load(&readers[index]) == 1)
        return;
    atomic_fetch_add(&readers[1 - index], 1);
    atomic_fetch_add(&completed, 1);
    atomic_fetch_sub(&readers[index], 1);
    while (atomic_load(&readers[index]) != 0) {
    }
}

static void *reader(void *unused)
{
    int index = read_lock();
    int version = atomic_load(&current);
    assert(!atomic_load(&reclaimed[version]));
    read_unlock(index);
    return unused;
}

static void *updater(void *unused)
{
    for (int version = 0; version < 2; version++) {
        atomic_store(&current, version + 1);
        synchronize();
        atomic_store(&reclaimed[version], 1);
    }
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, updater, NULL);
    pthread_create(&threads[1], NULL, reader, NULL);
    pthread_create(&threads[2], NULL, reader, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
