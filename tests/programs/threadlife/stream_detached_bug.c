// selvedge: assertion=unsafe race=unsafe deadlock=safe memory=safe
// Two at work at a time, and no lock.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t free_places;
static int on, off = 1;

static void *toggle(void *unused)
{
    assert(on + off == 1); // FAIL! RACE! on RACE! off
    on = !on;              // RACE! on
    off = !off;            // RACE! off
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
