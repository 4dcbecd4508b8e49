// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads, values of 32 bits
// One post too many: two threads get in.
#include <pthread.h>
#include <semaphore.h>

sem_t lock;
unsigned counter;

void *worker(void *arg)
{
    for (;;) {
        sem_wait(&lock);
        counter++; // RACE! counter
        sem_post(&lock);
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
