// selvedge: memory=unsafe
// flags: --property memory --uninitialised
// The other thread may be late.
#include <pthread.h>
#include <stdlib.h>

static int *shared;
static pthread_mutex_t lock;

static void *writer(void *unused)
{
    pthread_mutex_lock(&lock);
    *shared = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    pthread_create(&t, NULL, writer, NULL);
    pthread_mutex_lock(&lock);
    int seen = *shared; // MEMORY! reads memory that has not been initialised
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return seen;
}
