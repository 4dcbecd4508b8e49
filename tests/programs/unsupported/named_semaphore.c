// selvedge: assertion=unknown race=unknown deadlock=unknown memory=unknown
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>

static void *worker(void *unused)
{
    sem_t *shared = sem_open("/name", O_CREAT, 0600, 1); // UNKNOWN! sem_open
    sem_wait(shared);
    return unused;
}

int main(void)
{
    pthread_t t1;
    pthread_create(&t1, NULL, worker, NULL);
    pthread_join(t1, NULL);
    return 0;
}
