// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t event;
static struct timespec soon = {1, 0};

static void *waiter(void *unused)
{
    if (sem_timedwait(&event, &soon) != 0)
        assert(errno == ETIMEDOUT);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    sem_init(&event, 0, 1);
    pthread_create(&t1, NULL, waiter, NULL);
    pthread_create(&t2, NULL, waiter, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    return 0;
}
