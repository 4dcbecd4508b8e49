// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Nobody waits for the thread; while both run, they race.
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
    return x; // RACE! x
}
