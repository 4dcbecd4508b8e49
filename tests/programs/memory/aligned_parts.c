// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Two ints in one buffer of bytes, side by side.
#include <pthread.h>

static _Alignas(8) char buffer[16];

static void *worker(void *at)
{
    *(int *)at = 1; // NORACE
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, buffer);
    pthread_create(&t2, NULL, worker, buffer+4);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
