// selvedge: race=unsafe
// A pointer that was never written may point to a local of another thread whose address goes nowhere.
#include <pthread.h>
#include <stdlib.h>

void *worker(void *argument)
{
    int **cell = malloc(sizeof *cell);
    int *p = *cell;
    if (p)
        *p = 0; // RACE! thread
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0); // RACE! thread
    return 0;
}
