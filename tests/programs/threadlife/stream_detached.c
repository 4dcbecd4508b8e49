// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Detached threads without end, two at work at a time: one that has posted has nothing left to do but to end.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t free_places;
static int on, off = 1;

static void *toggle(void *unused)
{
    pthread_mutex_lock(&lock);
    assert(on + off == 1);
    on = !on;
    off = !off;
    pthread_mutex_unlock(&lock);
    sem_post(&free_places);
    return unused;
}

int main(void)
{
    sem_init(&free_places, 0, 2);
    for (;;) {
        pthread_t thread;
        sem_wait(&free_places);
        pthread_create(&thread, NULL, toggle, NULL);
        pthread_detach(thread);
    }
}
