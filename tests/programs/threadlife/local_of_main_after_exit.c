// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
// The locals of main are gone after its pthread_exit.
#include <pthread.h>

static void *worker(void *slot)
{
    *(int *)slot = 1; // MEMORY! accesses a local variable whose block or function has ended
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int local;
    pthread_create(&thread, NULL, worker, &local);
    pthread_exit(NULL);
}
