// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *buffer;
static atomic_int used;

static void *worker(void *unused)
{
    int mine = atomic_fetch_add(&used, 1);
    buffer[mine] = 'x'; // MEMORY! accesses memory outside of its object
    return unused;
}

int main(void)
{
    pthread_t t1, t2, t3;
    buffer = malloc(2);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_create(&t3, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    pthread_join(t3, NULL);
    return 0;
}
