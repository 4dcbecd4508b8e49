// selvedge: assertion=safe race=unsafe deadlock=safe memory=unsafe
// Freeing an object conflicts with taking the lock in it, atomic as that is.
#include <pthread.h>
#include <stdlib.h>

struct guarded {
    pthread_mutex_t m;
    int x;
} *g;

void *run(void *arg)
{
    pthread_mutex_lock(&g->m);   // RACE! heap MEMORY! freed
    pthread_mutex_unlock(&g->m); // RACE! heap MEMORY! freed
    return arg;
}

int main(void)
{
    pthread_t t;
    g = calloc(1, sizeof *g);
    pthread_create(&t, 0, run, 0);
    free(g); // RACE! heap
    pthread_join(t, 0);
    return 0;
}
