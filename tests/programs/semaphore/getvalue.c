// selvedge: assertion=safe race=safe deadlock=safe memory=safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;

static void *worker(void *unused)
{
    sem_post(&tokens);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    int value;
    sem_init(&tokens, 0, 1);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    sem_getvalue(&tokens, &value);
    assert(value >= 1 && value <= 3);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    sem_getvalue(&tokens, &value);
    assert(value == 3);
    return 0;
}
