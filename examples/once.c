/* Initialisation with pthread_once: whoever comes first runs the routine, everyone else waits until it is done.
   No lock and no atomic are left for the program to get wrong. Selvedge proves that the table is complete when it is used. */
// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>

static pthread_once_t control = PTHREAD_ONCE_INIT;
static int table[2];
static int runs;

static void make_table(void)
{
    table[0] = 10;
    table[1] = 20;
    runs++;
}

static void *worker(void *unused)
{
    pthread_once(&control, make_table);
    assert(table[0] + table[1] == 30); // NORACE
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(runs == 1);
    return 0;
}
