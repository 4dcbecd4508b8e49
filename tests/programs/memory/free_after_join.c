// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *user(void *unused)
{
    *shared = 1;
    return unused;
}

int main(void)
{
    pthread_t t1;
    shared = malloc(sizeof *shared);
    pthread_create(&t1, NULL, user, NULL);
    pthread_join(t1, NULL);
    assert(*shared == 1);
    free(shared);
    return 0;
}
