// selvedge: race=safe
// flags: --property race
// INFINITE: any number of threads, values of 32 bits
// A semaphore that begins with one lets one thread in at a time.
#include <pthread.h>
#include <semaphore.h>

sem_t lock;
unsigned counter;

void *worker(void *arg)
{
    for (;;) {
        sem_wait(&lock);
        counter++; // NORACE
        sem_post(&lock);
    }
}

int main(void)
{
    sem_init(&lock, 0, 1);
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, worker, 0);
    }
}
