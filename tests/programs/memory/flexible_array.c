// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct log {
    atomic_int used;
    int entries[];
};
static struct log *log_shared;

static void *worker(void *unused)
{
    int mine = atomic_fetch_add(&log_shared->used, 1);
    log_shared->entries[mine] = 1; // MEMORY! accesses memory outside of its object
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    log_shared = calloc(1, sizeof *log_shared + 2 * sizeof(int));
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_create(&t3, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
