// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>

static struct {
    int first;
    char rest[12];
} message;

static void *worker(void *unused)
{
    *(int *)(message.rest + 1) = 9; // MEMORY! accesses memory at a misaligned address
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
