// selvedge: memory=safe
// flags: --property memory --uninitialised
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *writer(void *unused)
{
    *shared = 1;
    return unused;
}

int main(void)
{
    pthread_t t;
    shared = malloc(sizeof *shared);
    pthread_create(&t, NULL, writer, NULL);
    pthread_join(t, NULL);
    int seen = *shared;
    free(shared);
    return seen;
}
