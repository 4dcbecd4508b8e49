// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>

static _Alignas(8) char buffer[16];

static void *worker(void *at)
{
    *(int *)at = 1; // MEMORY! accesses memory at a misaligned address
    return NULL;
}

int main(void)
{
    pthread_t t1, t2;
    pthread_create(&t1, NULL, worker, buffer);
    pthread_create(&t2, NULL, worker, buffer+5);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
