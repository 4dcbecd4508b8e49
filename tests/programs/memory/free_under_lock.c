// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// The pointer is cleared with the same lock under which it is used.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *shared;

static void *user(void *unused)
{
    pthread_mutex_lock(&lock);
    if (shared)
        *shared = 1; // NORACE
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *owner(void *unused)
{
    pthread_mutex_lock(&lock);
    free(shared);
    shared = NULL;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    shared = malloc(sizeof *shared);
    pthread_create(&t1, NULL, user, NULL);
    pthread_create(&t2, NULL, owner, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
