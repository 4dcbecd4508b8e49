// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
// Two threads free what they both have: a race, and the second time it is undefined.
#include <pthread.h>
#include <stdlib.h>

void *run(void *arg)
{
    free(arg); // RACE! heap MEMORY! freed already
    return 0;
}

int main(void)
{
    pthread_t t, u;
    int *p = malloc(4);
    pthread_create(&t, 0, run, p);
    pthread_create(&u, 0, run, p);
    pthread_join(t, 0);
    pthread_join(u, 0);
    return 0;
}
