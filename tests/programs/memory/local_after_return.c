// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>

static pthread_t thread;

static void *worker(void *slot)
{
    *(int *)slot = 1; // MEMORY! accesses a local variable whose block or function has ended
    return NULL;
}

static void start(void)
{
    int local;
    pthread_create(&thread, NULL, worker, &local);
}

int main(void)
{
    start();
    pthread_join(thread, NULL);
    return 0;
}
