/* Double-checked initialisation done right: the flag that is read without the lock is atomic, and set last.
   Selvedge proves that nobody sees a half-made table and that it is made once. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int table[2];
static int made;
static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static const int *get_table(void)
{
    if (!atomic_load(&ready)) {
        pthread_mutex_lock(&lock);
        if (!atomic_load(&ready)) {
            table[0] = 10;
            table[1] = 20;
            made++;
            atomic_store(&ready, 1);
        }
        pthread_mutex_unlock(&lock);
    }
    return table;
}

static void *worker(void *unused)
{
    const int *entries = get_table();
    assert(entries[0] == 10 && entries[1] == 20); // NORACE
    return unused;
}

int main(void)
{
    pthread_t first, second;
    pthread_create(&first, NULL, worker, NULL);
    pthread_create(&second, NULL, worker, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    assert(made == 1);
    return 0;
}
