// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// A semaphore that lets two in is no mutex.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t free_slots;
static int x;

static void *worker(void *unused)
{
    sem_wait(&free_slots);
    x++; // RACE! x
    sem_post(&free_slots);
    return unused;
}

int main(void)
{
    pthread_t t1, t2;
    sem_init(&free_slots, 0, 2);
    pthread_create(&t1, NULL, worker, NULL);
    pthread_create(&t2, NULL, worker, NULL);
    pthread_join(t1, NULL);
    pthread_join(t2, NULL);
    assert(x == 2); // FAIL!
    return 0;
}
