// selvedge: assertion=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *user(void *unused)
{
    *shared = 1; // MEMORY! accesses memory that has been freed
    return unused;
}

static void *owner(void *unused)
{
    free(shared);
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
