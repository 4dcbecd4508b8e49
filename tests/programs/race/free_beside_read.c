// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
// `free` conflicts with every access of the object; where the access comes later it is a use after free as well.
#include <pthread.h>
#include <stdlib.h>

int *p;

void *run(void *arg)
{
    int copy = *p; // RACE! heap MEMORY! freed
    return copy ? arg : 0;
}

int main(void)
{
    pthread_t t;
    p = malloc(sizeof *p);
    *p = 0;
    pthread_create(&t, 0, run, 0);
    free(p); // RACE! heap
    pthread_join(t, 0);
    return 0;
}
