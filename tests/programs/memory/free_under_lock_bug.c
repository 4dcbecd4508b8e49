// selvedge: assertion=safe deadlock=safe memory=unsafe
// The pointer is cleared after the lock is released: another thread can still find it.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *_Atomic shared;

static void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    int *mine = shared;
    if (mine)
        *mine = 1; // MEMORY! accesses memory that has been freed
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *owner(void *unused)
{
    pthread_mutex_lock(&lock);
    free(shared);
    pthread_mutex_unlock(&lock);
    shared = NULL;
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    shared = malloc(sizeof *shared);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, owner, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
