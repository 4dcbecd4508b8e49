// selvedge: race=unsafe
// flags: --property race
// INFINITE: any number of threads, values of 32 bits, loops without end
// A consumer looks at what is in the queue, and takes it out later: another one may have seen it, too.
#include <pthread.h>
#include <stdlib.h>

int __VERIFIER_nondet_int(void);

struct job {
    int amount;
};

pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
struct job *queue;

void *producer(void *argument)
{
    for (;;) {
        struct job *job = malloc(sizeof *job);
        if (!job)
            continue;
        job->amount = __VERIFIER_nondet_int();
        pthread_mutex_lock(&m);
        while (queue)
            pthread_cond_wait(&changed, &m);
        queue = job;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
    }
}

void *consumer(void *argument)
{
    for (;;) {
        pthread_mutex_lock(&m);
        while (!queue)
            pthread_cond_wait(&changed, &m);
        struct job *job = queue;
        pthread_mutex_unlock(&m);
        pthread_mutex_lock(&m);
        queue = 0;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&m);
        job->amount = 0; // RACE! heap
        free(job); // RACE! heap
    }
}

int main(void)
{
    for (;;) {
        pthread_t t;
        pthread_create(&t, 0, producer, 0);
        pthread_create(&t, 0, consumer, 0);
    }
}
