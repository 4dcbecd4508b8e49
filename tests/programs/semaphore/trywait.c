// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;
static int taken;

static void *worker(void *unused)
{
    if (sem_trywait(&tokens) == 0)
        taken++; // NORACE
    else
        assert(errno == EAGAIN);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    sem_init(&tokens, 0, 1);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(taken == 1);
    return 0;
}
