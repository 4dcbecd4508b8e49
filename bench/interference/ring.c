/* A ring of two slots, between N/2 producers and N/2 consumers of K values each; semaphores count, one lock guards each end.
   BUG: a consumer gives a slot back before it has read it. */
#include "spawn.h"

#define SIZE 2
static int slot[SIZE];
static unsigned head, tail;
static sem_t vacant, filled;
static pthread_mutex_t front = PTHREAD_MUTEX_INITIALIZER, back = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *number)
{
    for (int k = 0; k < K; k++) {
        if ((long)number % 2 == 0) {
            sem_wait(&vacant);
            pthread_mutex_lock(&back);
            slot[tail % SIZE] = 7;
            tail++;
            pthread_mutex_unlock(&back);
            sem_post(&filled);
        } else {
            sem_wait(&filled);
            pthread_mutex_lock(&front);
#ifdef BUG
            sem_post(&vacant);
            assert(slot[head % SIZE] == 7);
            slot[head % SIZE] = 0;
            head++;
            pthread_mutex_unlock(&front);
#else
            assert(slot[head % SIZE] == 7);
            slot[head % SIZE] = 0;
            head++;
            pthread_mutex_unlock(&front);
            sem_post(&vacant);
#endif
        }
    }
    return NULL;
}

int main(void)
{
    sem_init(&vacant, 0, SIZE);
    sem_init(&filled, 0, 0);
    run(work);
    return 0;
}
