// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// A detached thread can still be running whenever main reads.
#include <pthread.h>

static int x;

static void *worker(void *unused)
{
    x = 1; // RACE! x
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
    return x; // RACE! x
}
