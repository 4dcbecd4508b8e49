// selvedge: race=unknown
// A function that nobody knows is given a struct with a lock in it, which it may use.
#include <pthread.h>

struct queue {
    pthread_mutex_t lock;
    int length;
};

void push(struct queue *queue);

struct queue queue;

void *work(void *arg)
{
    push(&queue); // UNKNOWN! in which there are locks or atomics
    return 0;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    push(&queue); // UNKNOWN! in which there are locks or atomics
    pthread_join(thread, 0);
    return 0;
}
