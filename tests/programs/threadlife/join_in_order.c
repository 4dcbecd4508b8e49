// selvedge: assertion=safe race=unsafe deadlock=safe memory=safe
// Only the first thread has been joined when main reads.
#include <pthread.h>

static int x;

static void *worker(void *slot)
{
    if (slot)
        x = 1; // RACE! x
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    int seen;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, &x);
    pthread_join(t1, NULL);
    seen = x; // RACE! x
    pthread_join(t2, NULL);
    return seen;
}
