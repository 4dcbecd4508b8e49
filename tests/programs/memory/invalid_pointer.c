// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>
#include <stdint.h>

static uintptr_t number = 0x12340;

static void *worker(void *unused)
{
    *(int *)number = 1; // MEMORY! dereferences a value that points to no object
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
