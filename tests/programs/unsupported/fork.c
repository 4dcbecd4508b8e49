// selvedge: assertion=safe race=unknown deadlock=unknown memory=unknown
#include <pthread.h>
#include <unistd.h>

static void *worker(void *unused)
{
    fork(); // UNKNOWN! fork
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
