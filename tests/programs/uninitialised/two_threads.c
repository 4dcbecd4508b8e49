// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Two threads that read it see the same.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

char *shared, seen[2];

void *worker(void *arg)
{
    seen[0] = *shared;
    return 0;
}

int main(void)
{
    pthread_t t;
    shared = malloc(1);
    pthread_create(&t, 0, worker, 0);
    seen[1] = *shared;
    pthread_join(t, 0);
    assert(seen[0] == seen[1]);
    return 0;
}
