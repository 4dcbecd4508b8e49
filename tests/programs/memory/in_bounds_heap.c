// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static char *buffer;
static atomic_int used;

static void *worker(void *unused)
{
    int mine = atomic_fetch_add(&used, 1);
    buffer[mine] = 'x'; // NORACE
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    buffer = malloc(2);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(buffer[0] == 'x' && buffer[1] == 'x');
    return 0;
}
