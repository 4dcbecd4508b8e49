// selvedge: assertion=unsafe race=safe deadlock=safe memory=safe
// Not if one of them writes after it has read.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

_Atomic char *shared;
char seen[2];

void *worker(void *arg)
{
    seen[0] = *shared;
    *shared = 1;
    return 0;
}

int main(void)
{
    pthread_t t;
    shared = malloc(1);
    pthread_create(&t, 0, worker, 0);
    seen[1] = *shared;
    pthread_join(t, 0);
    assert(seen[0] == seen[1]); // FAIL!
    return 0;
}
