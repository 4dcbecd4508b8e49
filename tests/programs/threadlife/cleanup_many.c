// selvedge: assertion=safe race=safe deadlock=safe memory=safe
// Clean-up handlers have no limit: here they lie 20 deep, and run from the last to the first.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int next = 20;

static void handler(void *number)
{
    assert((intptr_t)number == next);
    next--;
}

static void push(intptr_t number)
{
    pthread_cleanup_push(handler, (void *)number);
    if (number == 20)
        pthread_exit(0);
    push(number + 1);
    pthread_cleanup_pop(0);
}

static void *worker(void *unused)
{
    push(1);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    assert(next == 0);
    return 0;
}
