// selvedge: assertion=safe race=safe deadlock=safe memory=unsafe
#include <pthread.h>

static pthread_t never;

static void *worker(void *unused)
{
    pthread_join(never, NULL); // MEMORY!
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
