// selvedge: assertion=unsafe
// A wait ends early when a handler has run.
#include <assert.h>
#include <semaphore.h>
#include <signal.h>

static sem_t semaphore;

static void handler(int number)
{
    (void)number;
}

int main(void)
{
    sem_init(&semaphore, 0, 1);
    assert(sem_wait(&semaphore) == 0);
    sem_post(&semaphore);
    signal(SIGTERM, handler);
    int status = sem_wait(&semaphore);
    assert(status == 0); // FAIL!
    return 0;
}
